import { round } from '../../warehouse/ground/numbers.ts';
import type { Coverage } from '../../models/onnx/metadata.ts';
import type { BandRow, ScoreReliability } from '../../models/score-reliability.ts';
import type { ScoreReliabilityBody } from '../schemas/score-reliability.ts';

const NOTE =
  'The model had not seen these months. The scores used the departure hour, but no weather forecasts, news or airport status.';

/**
 * Builds the field `score_reliability` of `/api/model`, which compares scores with the outcomes of flights in `months`.
 */
export function scoreReliabilityOf(data: ScoreReliability, months: string[]): ScoreReliabilityBody {
  return {
    note: NOTE,
    months,
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

/** Returns the counts of a coverage under the names that answers use. */
export function countsOf({
  airports,
  carriers,
  routes,
}: Omit<Coverage, 'first' | 'last' | 'flights'>) {
  return { airports, airlines: carriers, routes };
}
