import { FEATURES } from '../../models/features.ts';
import type { Coverage, ModelMetadata } from '../../models/onnx/metadata.ts';
import { scoreReliability } from '../../models/score-reliability.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ModelBody } from '../schemas/model.ts';
import type { ImportedFacts } from '../scoring/store-models.ts';
import { distributionReliabilityOf } from './distribution-reliability.ts';
import { namedAccuracyOf } from './record-accuracy.ts';
import { countsOf, scoreReliabilityOf } from './score-reliability.ts';

/**
 * Builds the body of `/api/model` from the metadata of the model. `imported` describes the imported model, even while
 * our own model answers. `parts` are the records of other providers in the store.
 */
export function modelBodyOf(
  metadata: ModelMetadata,
  version: string,
  { parts }: Pick<ScoreStore, 'parts'>,
  imported?: ImportedFacts,
): ModelBody {
  const { contract, trainedOn, seed, codeVersion, createdAt, outlook } = metadata;
  const { score, distribution, ...metrics } = metadata.metrics;
  return {
    version,
    contract,
    // Features are listed from the code. This is correct, because a model with other features is refused.
    features: FEATURES.map(({ name, unit, what }) => ({ name, unit, what })),
    trained_on: {
      months: trainedOn.months,
      rows: trainedOn.rows,
      data_sha256: trainedOn.dataSha256,
      coverage: coverageBodyOf(trainedOn.coverage),
    },
    seed: seed ?? null,
    code_version: codeVersion,
    created_at: createdAt ?? null,
    imported: imported ? importedBodyOf(imported) : null,
    metrics,
    score_reliability: scoreBodyOf(score, metrics['testedOn']),
    distribution_reliability: distributionReliabilityOf(distribution),
    outlook_shares: {
      under_15: outlook.notLate.under15,
      from_15_to_30: outlook.notLate.from15to30,
      from_30_to_60: outlook.late.from30to60,
      from_60_to_120: outlook.late.from60to120,
      over_120: outlook.late.over120,
    },
    providers: parts.map(namedAccuracyOf),
  };
}

function importedBodyOf({ metadata, state }: ImportedFacts): ModelBody['imported'] {
  const { file = '', sha256 = '', inputs = [] } = metadata.imported ?? {};
  return {
    version: state.version,
    ...{ file, sha256, inputs },
    state: state.state,
    reason: state.reason,
    since: state.since,
    failures: state.failures,
    fallback_answers: state.fallbackAnswers,
  };
}

/** Returns null for older models without coverage in their metadata. */
function coverageBodyOf(coverage: Coverage | undefined): ModelBody['trained_on']['coverage'] {
  if (!coverage) return null;
  const { first, last, flights, ...counts } = coverage;
  return { first_month: first, last_month: last, flights, ...countsOf(counts) };
}

/** Returns null if the reliability of the score was not measured when the model was trained. */
function scoreBodyOf(score: unknown, months: unknown): ModelBody['score_reliability'] {
  const { data } = scoreReliability.safeParse(score);
  if (!data) return null;
  return scoreReliabilityOf(data, Array.isArray(months) ? months.map(String) : []);
}
