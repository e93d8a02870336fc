import type { FullScore } from './flight-data.ts';

/** What can become of a flight, in order; `late` marks what the sentence counts. */
export const OUTCOMES = [
  { key: 'under_15', name: 'less than 15 min late, or early', isLate: false },
  { key: 'from_15_to_30', name: '15 to 30 min late', isLate: false },
  { key: 'from_30_to_60', name: '30 to 60 min late', isLate: true },
  { key: 'from_60_to_120', name: '1 to 2 hours late', isLate: true },
  { key: 'over_120', name: 'more than 2 hours late', isLate: true },
  { key: 'cancelled', name: 'cancelled', isLate: true },
] as const;

type Outlook = NonNullable<FullScore['outlook']>;

/** An outcome with its share, and how many of 100 flights it is. */
export type Counted = { key: string; name: string; isLate: boolean; share: number; of100: number };

/** The outlook in whole flights of 100: the largest remainders get what rounding left, so that they add up. */
export function outcomesOf100(outlook: Outlook): Counted[] {
  const exact = OUTCOMES.map((outcome) => ({ ...outcome, share: outlook[outcome.key] }));
  const left = 100 - exact.reduce((sum, { share }) => sum + Math.floor(100 * share + TINY), 0);
  const rest = ({ share }: { share: number }) => 100 * share - Math.floor(100 * share + TINY);
  const raised = new Set(
    exact
      .toSorted((a, b) => rest(b) - rest(a))
      .slice(0, Math.max(0, left))
      .map(({ key }) => key),
  );
  return exact.map((outcome) => ({
    ...outcome,
    of100: Math.floor(100 * outcome.share + TINY) + (raised.has(outcome.key) ? 1 : 0),
  }));
}

/** Floating point takes a hair off whole numbers. */
const TINY = 1e-9;

/** A step of the way to the score: where it begins and ends, in points. */
export type Step = {
  key: string;
  name: string;
  /** Whether nothing is known of it, so that an average flight's stands in its place. */
  isPlaceholder: boolean;
  points: number;
  from: number;
  to: number;
};

/** The contributions one after the other, the model's last, and what rounding does: they end in the score. */
export function stepsTo({ components, blend, score, lineage }: FullScore): Step[] {
  const unknown = new Set(lineage.unknown);
  const parts = components.map(({ key, contribution }) => ({
    key: key as string,
    name: SHORT[key],
    isPlaceholder: FIGURES[key].every((figure) => unknown.has(figure)),
    points: contribution,
  }));
  if (blend.ml_points > 0) {
    parts.push({ key: 'model', name: 'Model', isPlaceholder: false, points: blend.ml_points });
  }
  const sum = parts.reduce((all, { points }) => all + points, 0);
  const rest = Math.round(100 * (score - sum)) / 100;
  if (rest !== 0) {
    const name = Math.abs(rest) < 1 ? 'Rounding' : 'Held to 0–100';
    parts.push({ key: 'rounding', name, isPlaceholder: false, points: rest });
  }
  let at = 0;
  return parts.map((part) => {
    const from = at;
    at = Math.round(100 * (at + part.points)) / 100;
    return { ...part, from, to: at };
  });
}

/** What each rests on, as `lineage.unknown` names it. */
const FIGURES: Record<
  FullScore['components'][number]['key'],
  readonly FullScore['lineage']['unknown'][number][]
> = {
  delay_rate: ['delay_rate'],
  cancel_rate: ['cancel_rate'],
  congestion: ['congestion_dep', 'congestion_arr'],
  weather: ['weather_dep', 'weather_arr'],
  seasonality: ['seasonality'],
  event_risk: ['event_risk'],
};

const SHORT: Record<FullScore['components'][number]['key'], string> = {
  delay_rate: 'Delay record',
  cancel_rate: 'Cancellations',
  congestion: 'Congestion',
  weather: 'Weather',
  seasonality: 'Time of year',
  event_risk: 'Events',
};
