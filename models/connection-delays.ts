import { expit, logit } from '../warehouse/ground/log-odds.ts';
import parameters from './connections.json' with { type: 'json' };
import { DELAY_MINUTES, probabilityOver, type DelayCurve } from './delay-curve.ts';
import { normalTail } from './normal.ts';

/**
 * Correlations between two delays. Each delay is first converted to a normal score: the value of a standard normal
 * variable with the same quantile. Fitted by `npm run fit -- connections`.
 */
export const { sameFlight: SAME_FLIGHT, connection: SAME_AIRPORT } = parameters;

/**
 * Delays of a flight at equal steps of the normal score, from the earliest delay to the latest. A flight with a score
 * above `lostFrom` does not arrive: it is cancelled or diverted.
 */
export type DelayTable = { minutes: Float64Array; lostFrom: number };

/** A table covers the normal scores from -4 to 4, in steps of 1/64. */
const MAX_SCORE = 4;
const STEPS_PER_SCORE = 64;
const SIZE = 2 * MAX_SCORE * STEPS_PER_SCORE + 1;

/** For each score of a table, the probability that a standard normal variable is above this score. */
const TAILS = Float64Array.from({ length: SIZE }, (_, at) =>
  normalTail(at / STEPS_PER_SCORE - MAX_SCORE),
);

/**
 * Points of a distribution: `late` is the probability of being more than `minutes` late. `minutes` rise, and `late`
 * falls to 0.
 */
type Steps = { minutes: number[]; late: number[] };

/** Smallest and largest delay in minutes: an hour early, and a day late. */
const [EARLIEST, LATEST] = [-60, 1_440];

/** Returns the delays on arrival for each normal score. */
export function arrivalDelays(curve: DelayCurve): DelayTable {
  const lost = curve.cancelled + curve.diverted;
  const over15 = curve.late[0] as number;
  const below15 = Math.max(0, 1 - lost - over15);
  const known = logitOf(over15 / Math.max(1e-6, 1 - lost));
  const early = parameters.early.map(({ minutes, intercept, slope }) => ({
    minutes,
    late: over15 + below15 * expit(intercept + slope * known),
  }));
  const steps = {
    minutes: [EARLIEST, ...early.map(({ minutes }) => minutes), ...DELAY_MINUTES, LATEST],
    late: [1 - lost, ...early.map(({ late }) => late), ...curve.late, 0],
  };
  return tableOf(neverRising(steps), lost);
}

/**
 * Returns a table from normal scores to departure delays. It is derived from the arrival delays, and assumes that the
 * flight departs.
 */
export function departureDelays(curve: DelayCurve): DelayTable {
  const arriving = Math.max(1e-6, 1 - curve.cancelled - curve.diverted);
  const late = parameters.departure.map(({ minutes, intercept, slope }) => {
    const arrivedLate = probabilityOver(curve, Math.max(15, minutes)) / arriving;
    return expit(intercept + slope * logitOf(arrivedLate));
  });
  const minutes = [...parameters.departure.map((one) => one.minutes), LATEST];
  // An early departure is treated as on time, because passengers do not have to be at the gate earlier.
  return tableOf(neverRising({ minutes: [0, ...minutes], late: [1, ...late, 0] }), 0);
}

/** Returns the delay at a normal score; infinite for a flight that does not arrive. */
export function delayAt({ minutes, lostFrom }: DelayTable, score: number): number {
  if (score >= lostFrom) return Infinity;
  const place = (score + MAX_SCORE) * STEPS_PER_SCORE;
  if (place <= 0) return minutes[0] as number;
  const below = Math.floor(place);
  if (below >= SIZE - 1) return minutes[SIZE - 1] as number;
  const [from, until] = [minutes[below] as number, minutes[below + 1] as number];
  return from + (place - below) * (until - from);
}

function tableOf({ minutes, late }: Steps, lost: number): DelayTable {
  const values = new Float64Array(SIZE);
  let step = 0;
  for (let at = 0; at < SIZE; at++) {
    const probability = Math.max(0, (TAILS[at] as number) - lost);
    while (step < late.length - 2 && (late[step + 1] as number) > probability) step++;
    values[at] = minutesAt(step, probability, { minutes, late });
  }
  return { minutes: values, lostFrom: lost <= 0 ? Infinity : scoreOfTail(lost) };
}

/**
 * Returns the delay that is exceeded with the given probability. The delay is between the points `step` and `step + 1`.
 * Above 15 minutes, the logarithm of the probability falls linearly.
 */
function minutesAt(step: number, probability: number, { minutes, late }: Steps): number {
  const [from, until] = [minutes[step] as number, minutes[step + 1] as number];
  const [start, end] = [late[step] as number, late[step + 1] as number];
  if (probability >= start || start <= end) return from;
  if (probability <= end) return until;
  const part =
    from >= 15 && end > 0
      ? Math.log(start / probability) / Math.log(start / end)
      : (start - probability) / (start - end);
  return from + part * (until - from);
}

/** Returns the normal score that is exceeded with the given probability, interpolated in `TAILS`. */
function scoreOfTail(probability: number): number {
  let at = 0;
  while (at < SIZE - 1 && (TAILS[at] as number) > probability) at++;
  if (at === 0) return -MAX_SCORE;
  const [before, after] = [TAILS[at - 1] as number, TAILS[at] as number];
  const part = Math.log(before / probability) / Math.log(before / after);
  return (at - 1 + Math.min(1, part)) / STEPS_PER_SCORE - MAX_SCORE;
}

function neverRising({ minutes, late }: Steps): Steps {
  let least = 1;
  return { minutes, late: late.map((value) => (least = Math.min(least, value))) };
}

function logitOf(share: number): number {
  return logit(Math.min(1 - 1e-4, Math.max(1e-4, share)));
}
