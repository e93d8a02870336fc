import { expit, logit } from '../warehouse/ground/log-odds.ts';
import type { OutcomeStep } from '../warehouse/store/outcome-kinds.ts';
import { DAY_SLOPES } from './outcome-days.ts';
import type { OutcomeOdds } from './outcome-odds.ts';

/**
 * Delays in minutes for which the distribution has a probability. The first delay means "15 minutes or more", because
 * BTS counts a flight that is exactly 15 minutes late as late. Every other delay means "more than".
 */
export const DELAY_MINUTES = [15, 30, 45, 60, 90, 120, 180, 360] as const;

/** Distribution of the outcomes of a flight. */
export type DelayCurve = {
  /** P(more than t minutes late) for each t of `DELAY_MINUTES`; never rises. */
  late: readonly number[];
  cancelled: number;
  diverted: number;
};

/** The curve of a flight, and the curves at both ends of its 90 % band. */
export type CurveBand = { curve: DelayCurve; low: DelayCurve; high: DelayCurve };

/** The figures from which a curve is built. */
export type CurveInputs = {
  /** P(more than 30 minutes late). */
  late: number;
  cancelled: number;
  odds: OutcomeOdds;
  /**
   * Log-odds of a delay of more than 30 minutes that the day adds by its weather, holidays and events, compared with a
   * usual day.
   */
  dayShift: number;
};

/** Returns the probability of a step between outcomes (see `OUTCOME_STEPS`) on the day of the flight. */
export function stepShare({ odds, dayShift }: CurveInputs, step: OutcomeStep): number {
  return expit(odds[step].logOdds + (DAY_SLOPES[step] ?? 0) * dayShift);
}

/** All probabilities of an answer are whole ten-thousandths, so that they agree exactly with each other. */
export const UNITS = 10_000;

/** Rounds P(more than 30 minutes late) like `ml_probability`, a percentage with two decimals. */
function lateUnitsOf(late: number): number {
  // `Math.max` turns a rounding error below 0 into 0.
  return Math.max(0, Math.round(100 * late * (UNITS / 100)));
}

/**
 * Builds the curve of a flight. Each step takes the flights above one delay, and gives the share that also exceeds the
 * next delay. Cancelled and then diverted flights are subtracted from the flights that are at most 30 minutes late. All
 * probabilities are rounded to units, and the curve never rises.
 */
export function delayCurve(inputs: CurveInputs): DelayCurve {
  const { late, cancelled, odds } = inputs;
  const share = (step: OutcomeStep) => stepShare(inputs, step);
  const lateUnits = lateUnitsOf(late);
  const cancelledUnits = Math.min(UNITS - lateUnits, Math.round(cancelled * UNITS));
  const otherUnits = UNITS - lateUnits - cancelledUnits;
  // The share `diverted` applies to the flights that are neither late nor cancelled.
  const divertedUnits = Math.round(otherUnits * share('diverted'));
  const after15 = (otherUnits - divertedUnits) * share('late15');
  const over60 = lateUnits * share('late60');
  const over120 = over60 * share('late120');
  const over180 = over120 * share('late180');
  const over360 = over180 * share('late360');
  const units = [
    lateUnits + after15,
    lateUnits,
    between(lateUnits, over60, odds.between[45]),
    over60,
    between(over60, over120, odds.between[90]),
    over120,
    over180,
    over360,
  ];
  return {
    late: units.map((value) => Math.round(value) / UNITS),
    cancelled: cancelledUnits / UNITS,
    diverted: divertedUnits / UNITS,
  };
}

/**
 * Returns the probability of a delay of more than `minutes`, 15 to 360. Between two points of the curve, the logarithm
 * of the probability is interpolated linearly. If the probability at the later point is 0, the probability itself is
 * interpolated.
 */
export function probabilityOver({ late }: DelayCurve, minutes: number): number {
  const after = DELAY_MINUTES.findIndex((delay) => delay >= minutes);
  const [until, end] = [DELAY_MINUTES[after], late[after]];
  if (until === undefined || end === undefined) return 0;
  const [from, start] = [DELAY_MINUTES[after - 1], late[after - 1]];
  if (from === undefined || start === undefined || minutes === until) return end;
  const part = (minutes - from) / (until - from);
  return end === 0 ? start * (1 - part) : between(start, end, part);
}

/** Interpolates the logarithm linearly from `start` to `end`; `part` is the position, 0 to 1. */
function between(start: number, end: number, part: number): number {
  const value = start === 0 ? 0 : start ** (1 - part) * end ** part;
  // Keeps the value between `end` and `start` in spite of rounding errors.
  return Math.min(start, Math.max(end, value));
}

/**
 * Returns this flight's probability of cancellation under the events in force. `cancelled` is the flight's probability
 * without events. `calm` and `now` are computed from the general cancellation rate: `calm` without the events, `now`
 * with them. Both are converted to log-odds of cancellation among flights that are not late. The difference between the
 * two is added to the log-odds of this flight.
 */
export function cancelledUnderEvents(
  cancelled: number,
  calm: { late: number; cancelled: number },
  now: { late: number; cancelled: number },
): number {
  const oddsAmong = (one: { late: number; cancelled: number }) =>
    logit(clampShare(one.cancelled / Math.max(1e-9, 1 - one.late)));
  const shift = oddsAmong(now) - oddsAmong(calm);
  const own = oddsAmong({ late: calm.late, cancelled });
  return (1 - now.late) * expit(own + shift);
}

function clampShare(share: number): number {
  return Math.min(0.999, Math.max(1e-6, share));
}
