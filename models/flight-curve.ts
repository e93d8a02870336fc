import { expit, logit } from '../warehouse/ground/log-odds.ts';
import type { OutcomeStep } from '../warehouse/store/outcome-kinds.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';
import {
  cancelledUnderEvents,
  delayCurve,
  DELAY_MINUTES,
  stepShare,
  UNITS,
  type CurveBand,
  type CurveInputs,
  type DelayCurve,
} from './delay-curve.ts';
import { forecastCancelOdds } from './outcome-days.ts';
import { outcomeOddsOf } from './outcome-odds.ts';
import { probabilityRange, type Range } from './outlook.ts';
import type { Assessment, FlightQuery } from './types.ts';
import { weatherLogOdds, WEATHER_SHARE } from './weather-odds.ts';

/** A scored flight, and the store from which the score was computed. */
export type ScoredFlight = { query: FlightQuery; assessment: Assessment; store: ScoreStore };

/**
 * Returns the distribution of the outcomes of a flight. P(more than 30 minutes late) is the model's probability.
 * Undefined without a model.
 */
export function flightCurve(flight: ScoredFlight): DelayCurve | undefined {
  const inputs = inputsOf(flight);
  return inputs && delayCurve(inputs);
}

/** Returns the distribution with its 90 % band. Undefined without a model or without evidence for an interval. */
export function flightBand(flight: ScoredFlight): CurveBand | undefined {
  const inputs = inputsOf(flight);
  const { assessment, store } = flight;
  const range = inputs && probabilityRange(assessment, store.network.priorFlights);
  if (!inputs || !range) return undefined;
  return bandOf(inputs, delayCurve(inputs), range);
}

function inputsOf({ query, assessment, store }: ScoredFlight): CurveInputs | undefined {
  const { mlProbability: late, calmProbability: calm, stats } = assessment;
  if (late === undefined || calm === undefined) return undefined;
  const odds = outcomeOddsOf(query, store);
  const weatherShift = WEATHER_SHARE * weatherLogOdds(query, store, assessment);
  const holidayShift = assessment.holiday?.logOdds ?? 0;
  const cancelled = expit(
    logit(clampRate(stats.cancelledRate)) +
      odds.cancelled.logOdds +
      forecastCancelOdds(query.flightDate, assessment),
  );
  return {
    late,
    odds,
    dayShift: weatherShift + holidayShift + logit(clampRate(late)) - logit(clampRate(calm)),
    cancelled: cancelledUnderEvents(
      cancelled,
      { late: calm, cancelled: stats.cancelledRate },
      { late, cancelled: assessment.cancelledProbability },
    ),
  };
}

function clampRate(rate: number): number {
  return Math.min(1 - 1e-6, Math.max(1e-6, rate));
}

/** Standard deviations from the middle to the end of a 90 % band. */
const BAND_DEVIATIONS = 1.645;

/**
 * Steps to the later delays of the curve. The key is the first delay, in minutes, that needs the step. All later delays
 * need this step, too.
 */
const STEP_TO: Record<number, OutcomeStep> = {
  45: 'late60',
  90: 'late120',
  180: 'late180',
  360: 'late360',
};

/**
 * Returns the curves at both ends of the band. The error of P(more than 30 minutes late) and the errors of the steps
 * are independent, so their squares are added. The band is rounded outwards, and neither end rises with the delay.
 */
function bandOf(inputs: CurveInputs, curve: DelayCurve, [low30, high30]: Range): CurveBand {
  const { late, odds, cancelled } = inputs;
  const squares = squaredErrorsOf(inputs);
  const end = (sign: 1 | -1, end30: number): DelayCurve => {
    const squared30 = Math.log(clampRate(end30) / clampRate(late)) ** 2;
    const lateEnds = curve.late.map((probability, at) => {
      const square = squares[at] as number;
      return DELAY_MINUTES[at] === 15
        ? probability + sign * Math.sqrt((end30 - late) ** 2 + square)
        : probability * Math.exp(sign * Math.sqrt(squared30 + square));
    });
    const shifted = (rate: number, step: OutcomeStep) =>
      expit(logit(clampRate(rate)) + sign * BAND_DEVIATIONS * odds[step].sd);
    return {
      late: neverRising(lateEnds, sign),
      cancelled: roundOut(shifted(cancelled, 'cancelled'), sign),
      diverted: roundOut(shifted(curve.diverted, 'diverted'), sign),
    };
  };
  const [low, high] = [end(-1, low30), end(1, high30)];
  return { curve, low: nearest(low, curve, Math.min), high: nearest(high, curve, Math.max) };
}

/**
 * Returns the squared errors that the steps add to each delay of the curve. For 15 minutes, this is the error of the
 * probability itself; for all other delays, the error of its logarithm.
 */
function squaredErrorsOf(inputs: CurveInputs): number[] {
  const errorOf = (share: number, step: OutcomeStep) =>
    BAND_DEVIATIONS * (1 - share) * inputs.odds[step].sd;
  let square = 0;
  return DELAY_MINUTES.map((minutes) => {
    if (minutes === 15) {
      const share = stepShare(inputs, 'late15');
      return ((1 - inputs.late) * share * errorOf(share, 'late15')) ** 2;
    }
    const step = STEP_TO[minutes];
    if (step) square += errorOf(stepShare(inputs, step), step) ** 2;
    return square;
  });
}

/**
 * Rounds the values outward, and corrects them so that they never rise. At the low end (`sign` -1), a value becomes the
 * smallest of the values up to its position; at the high end, the largest of the values from its position on.
 */
function neverRising(values: number[], sign: 1 | -1): number[] {
  const rounded = values.map((value) => roundOut(value, sign));
  return rounded.map((_, at) =>
    sign === 1 ? Math.max(...rounded.slice(at)) : Math.min(...rounded.slice(0, at + 1)),
  );
}

function roundOut(value: number, sign: 1 | -1): number {
  const units = sign === 1 ? Math.ceil(value * UNITS) : Math.floor(value * UNITS);
  return Math.min(UNITS, Math.max(0, units)) / UNITS;
}

/** Keeps the low end of the band at or below the curve, and the high end at or above the curve. */
function nearest(
  end: DelayCurve,
  curve: DelayCurve,
  pick: (a: number, b: number) => number,
): DelayCurve {
  return {
    late: end.late.map((value, at) => pick(value, curve.late[at] as number)),
    cancelled: pick(end.cancelled, curve.cancelled),
    diverted: pick(end.diverted, curve.diverted),
  };
}
