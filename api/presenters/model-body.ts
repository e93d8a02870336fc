import { round } from '../../warehouse/ground/numbers.ts';
import { FEATURES } from '../../models/features.ts';
import type { Coverage, ModelMetadata } from '../../models/onnx/metadata.ts';
import { scoreReliability, type BandRow } from '../../models/score-reliability.ts';
import type { ModelBody } from '../schemas/model.ts';
import type { ImportedFacts } from '../scoring/store-models.ts';
import { distributionReliabilityOf } from './distribution-reliability.ts';

/**
 * Builds the body of `/api/model` from the metadata of the model. `imported` describes the imported model, even while
 * our own model answers.
 */
export function modelBodyOf(
  metadata: ModelMetadata,
  version: string,
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

function countsOf({ airports, carriers, routes }: Omit<Coverage, 'first' | 'last' | 'flights'>) {
  return { airports, airlines: carriers, routes };
}

const NOTE =
  'Flights of months that the model had not seen, scored with their departure hour but without weather forecasts and live events.';

/** Returns null if the training of the model did not measure this. */
function scoreBodyOf(score: unknown, months: unknown): ModelBody['score_reliability'] {
  const { data } = scoreReliability.safeParse(score);
  if (!data) return null;
  return {
    note: NOTE,
    months: Array.isArray(months) ? months.map(String) : [],
    flights: data.n,
    coverage: data.coverage && countsOf(data.coverage),
    disrupted: shareOf(data.disrupted),
    bands: data.bands.map(bandOf),
    tenths: data.tenths.map(({ from, to, ...outcome }) => ({ from, to, ...outcomeOf(outcome) })),
    by_confidence: data.byConfidence.map(({ from, to, bands }) => ({
      from,
      to,
      bands: bands.map(bandOf),
    })),
    by_month:
      data.byMonth?.map(({ month, n, disrupted, bands }) => ({
        month,
        flights: n,
        disrupted: shareOf(disrupted),
        bands: bands.map(bandOf),
      })) ?? null,
  };
}

function bandOf({ label, ...outcome }: BandRow) {
  return { label, ...outcomeOf(outcome) };
}

function outcomeOf({ n, share, disrupted }: Omit<BandRow, 'label'>) {
  return { flights: n, share: round(share, 4), disrupted: shareOf(disrupted) };
}

function shareOf(value: number | null): number | null {
  return value === null ? null : round(value, 4);
}
