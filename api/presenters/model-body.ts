import { FEATURES } from '../../models/features.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { ModelBody } from '../schemas/model.ts';

/** The card of a model: what it says of itself, under the version it is published as. */
export function modelBodyOf(metadata: ModelMetadata, version: string): ModelBody {
  const { contract, trainedOn, seed, codeVersion, createdAt, metrics, outlook } = metadata;
  return {
    version,
    contract,
    // Those of the code: a model made for others does not serve.
    features: FEATURES.map(({ name, unit, what }) => ({ name, unit, what })),
    trained_on: {
      months: trainedOn.months,
      rows: trainedOn.rows,
      data_sha256: trainedOn.dataSha256,
    },
    seed,
    code_version: codeVersion,
    created_at: createdAt ?? null,
    metrics,
    outlook_shares: {
      under_15_min: outlook.notLate.under15,
      '15_to_30_min': outlook.notLate.from15to30,
      '30_to_60_min': outlook.late.from30to60,
      '60_to_120_min': outlook.late.from60to120,
      over_120_min: outlook.late.over120,
    },
  };
}
