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
      under_15: outlook.notLate.under15,
      from_15_to_30: outlook.notLate.from15to30,
      from_30_to_60: outlook.late.from30to60,
      from_60_to_120: outlook.late.from60to120,
      over_120: outlook.late.over120,
    },
  };
}
