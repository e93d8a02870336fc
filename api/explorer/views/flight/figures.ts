import { round } from '../../../../warehouse/ground/numbers.ts';
import type { FullScore } from './flight-data.ts';

/** The possible outcomes of a flight, in order. `isLate` marks the outcomes that count as late or cancelled. */
export const OUTCOMES = [
  { key: 'under_15', name: 'less than 15 min late, or early', isLate: false },
  { key: 'from_15_to_30', name: '15 to 30 min late', isLate: false },
  { key: 'from_30_to_60', name: '30 to 60 min late', isLate: true },
  { key: 'from_60_to_120', name: '1 to 2 hours late', isLate: true },
  { key: 'over_120', name: 'more than 2 hours late', isLate: true },
  { key: 'diverted', name: 'diverted', isLate: false },
  { key: 'cancelled', name: 'cancelled', isLate: true },
] as const;

type Outlook = NonNullable<FullScore['outlook']>;

/** An outcome with its share, and its number of flights in 100. */
export type OutcomeCount = {
  key: string;
  name: string;
  isLate: boolean;
  share: number;
  of100: number;
};

/**
 * Converts the outlook to whole flights that add up to 100. Late and cancelled flights together match the rounded
 * percentage, so that a page never shows two different numbers.
 */
export function outcomesOf100(outlook: Outlook): OutcomeCount[] {
  const exact = OUTCOMES.map((outcome) => ({ ...outcome, share: outlook[outcome.key] }));
  const lateOf100 = Math.round(100 * lateShare(outlook));
  return [
    ...roundUpTo(
      100 - lateOf100,
      exact.filter(({ isLate }) => !isLate),
    ),
    ...roundUpTo(
      lateOf100,
      exact.filter(({ isLate }) => isLate),
    ),
  ].toSorted((a, b) => ORDER.indexOf(a.key) - ORDER.indexOf(b.key));
}

const ORDER: readonly string[] = OUTCOMES.map(({ key }) => key);

/** Returns the share of flights that arrive more than 30 minutes late or are cancelled. */
export function lateShare(outlook: Outlook): number {
  return OUTCOMES.filter(({ isLate }) => isLate).reduce((sum, { key }) => sum + outlook[key], 0);
}

type ExactOutcome = Omit<OutcomeCount, 'of100'>;

/**
 * Converts shares to whole numbers in 100 that add up to `total`. The numbers with the largest remainders are rounded
 * up.
 */
function roundUpTo(total: number, exact: ExactOutcome[]): OutcomeCount[] {
  const remaining =
    total - exact.reduce((sum, { share }) => sum + Math.floor(100 * share + EPSILON), 0);
  const rest = ({ share }: { share: number }) => 100 * share - Math.floor(100 * share + EPSILON);
  const roundedUp = new Set(
    exact
      .toSorted((a, b) => rest(b) - rest(a))
      .slice(0, Math.max(0, remaining))
      .map(({ key }) => key),
  );
  return exact.map((outcome) => ({
    ...outcome,
    of100: Math.floor(100 * outcome.share + EPSILON) + (roundedUp.has(outcome.key) ? 1 : 0),
  }));
}

/**
 * Tolerance for floating-point errors. A value that is below a whole number by no more than this counts as the whole
 * number.
 */
const EPSILON = 1e-9;

/** One step of the waterfall chart, from its start to its end in points. */
export type Step = {
  key: string;
  name: string;
  /** Whether the factor is unknown. The value of an average flight is used instead. */
  isPlaceholder: boolean;
  points: number;
  from: number;
  to: number;
};

/** Returns the steps from an average flight to the score: first the factors, then the model, then rounding. */
export function contributionSteps({ drivers, blend, score, lineage }: FullScore): Step[] {
  const unknown = new Set(lineage.unknown);
  const average = { key: 'average', name: 'Average flight', isPlaceholder: false };
  const parts = [
    { ...average, points: round(drivers.average_points + drivers.average_ml_points, 2) },
    ...drivers.factors.map(({ key, points }) => ({
      key: key as string,
      name: SHORT_NAMES[key],
      isPlaceholder: UNKNOWN_NAMES[key].every((figure) => unknown.has(figure)),
      points,
    })),
  ];
  if (blend.ml_share > 0) {
    const points = round(blend.ml_points - drivers.average_ml_points, 2);
    parts.push({ key: 'model', name: 'Model', isPlaceholder: false, points });
  }
  const sum = parts.reduce((all, { points }) => all + points, 0);
  const rest = round(score - sum, 2);
  if (rest !== 0) {
    const name = Math.abs(rest) < 1 ? 'Rounding' : 'Limit 0–100';
    parts.push({ key: 'rounding', name, isPlaceholder: false, points: rest });
  }
  let at = 0;
  return parts.map((part) => {
    const from = at;
    at = round(at + part.points, 2);
    return { ...part, from, to: at };
  });
}

/** For each factor, the names that `lineage.unknown` uses for the values of the factor. */
const UNKNOWN_NAMES: Record<
  FullScore['drivers']['factors'][number]['key'],
  readonly FullScore['lineage']['unknown'][number][]
> = {
  delay_rate: ['delay_rate'],
  cancel_rate: ['cancel_rate'],
  congestion: ['congestion_dep', 'congestion_arr'],
  weather: ['weather_dep', 'weather_arr'],
  seasonality: ['seasonality'],
  event_risk: ['event_risk'],
};

const SHORT_NAMES: Record<FullScore['drivers']['factors'][number]['key'], string> = {
  delay_rate: 'Delay record',
  cancel_rate: 'Cancellations',
  congestion: 'Congestion',
  weather: 'Weather',
  seasonality: 'Time of year',
  event_risk: 'Events',
};
