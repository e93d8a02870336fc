import { expit, interceptFor, logit } from '../../warehouse/ground/log-odds.ts';

/** A forecast for a group of similar flights, and their outcomes. */
export type Case = { p: number; flights: number; delayed: number };

export type Figures = {
  n: number;
  /** Mean of the forecasts, and the observed share of delays. */
  forecast: number;
  observed: number;
  auc: number;
  logLoss: number;
  brier: number;
  /** 1 - (Brier score) / (Brier score of always forecasting the base rate). */
  skill: number;
  /** Expected calibration error: the mean distance between forecast and observed share in quantile bins. */
  ece: number;
  /** ECE after shifting all forecasts, in log-odds, to the observed rate. */
  eceAtOwnLevel: number;
};

const BINS = 15;

/**
 * Computes the figures of the forecasts, with skill against a base rate. Without flights, all figures except `n` are
 * NaN.
 */
export function figuresOf(cases: Case[], baseRate: number): Figures {
  const total = totalsOf(cases);
  const observed = total.delayed / total.flights;
  return {
    n: total.flights,
    forecast: mean(cases, ({ p }) => p),
    observed,
    auc: aucOf(cases),
    logLoss: mean(cases, ({ p, flights, delayed }) => logLossOf(p, delayed / flights)),
    brier: meanBrier(cases),
    skill: 1 - meanBrier(cases) / meanBrier(cases.map((one) => ({ ...one, p: baseRate }))),
    ece: calibrationError(cases),
    eceAtOwnLevel: calibrationError(shiftToRate(cases, observed)),
  };
}

/**
 * Probability that a delayed flight has a higher forecast than a flight on time; if both forecasts are equal, the pair
 * counts as half.
 */
export function aucOf(cases: Case[]): number {
  const sorted = cases.toSorted((a, b) => a.p - b.p);
  let [onTimeBelow, wonPairs] = [0, 0];
  for (let from = 0; from < sorted.length;) {
    const p = sorted[from]?.p;
    let [onTime, delayed] = [0, 0];
    for (; from < sorted.length && sorted[from]?.p === p; from++) {
      const one = sorted[from] as Case;
      delayed += one.delayed;
      onTime += one.flights - one.delayed;
    }
    wonPairs += delayed * (onTimeBelow + onTime / 2);
    onTimeBelow += onTime;
  }
  const { flights, delayed } = totalsOf(cases);
  return wonPairs / (delayed * (flights - delayed));
}

/** Mean squared difference between forecast and outcome. */
export function meanBrier(cases: Case[]): number {
  return mean(cases, ({ p, flights, delayed }) => brierOf(p, delayed / flights));
}

/**
 * The Brier score of a forecast `p` for a group of flights. `share` is the share of these flights that were delayed.
 */
export function brierOf(p: number, share: number): number {
  return share * (1 - p) ** 2 + (1 - share) * p ** 2;
}

/**
 * The log loss, in nats, of a forecast `p` for a group of flights. `share` is the share of these flights that were
 * delayed.
 */
export function logLossOf(p: number, share: number): number {
  const clampedP = clampProbability(p);
  return -(share * Math.log(clampedP) + (1 - share) * Math.log(1 - clampedP));
}

/** One bin of a reliability curve: a group of similar forecasts, their mean, and the observed share of delays. */
export type Bin = { flights: number; forecast: number; observed: number };

/**
 * Splits the flights into bins of equal size, from the lowest forecast to the highest; a group of flights may be split
 * between bins.
 */
export function reliabilityBins(cases: Case[], bins: number = BINS): Bin[] {
  const size = totalsOf(cases).flights / bins;
  const allBins = Array.from({ length: bins }, () => ({ flights: 0, forecast: 0, observed: 0 }));
  let at = 0;
  for (const { p, flights, delayed } of cases.toSorted((a, b) => a.p - b.p)) {
    let remaining = flights;
    while (remaining > 0) {
      const bin = allBins[Math.min(at, bins - 1)] as Bin;
      const capacity = at >= bins - 1 ? remaining : size - bin.flights;
      const added = Math.min(remaining, capacity);
      bin.flights += added;
      bin.forecast += added * p;
      bin.observed += (added * delayed) / flights;
      remaining -= added;
      if (added === capacity) at += 1;
    }
  }
  return allBins
    .filter((bin) => bin.flights > 0)
    .map(({ flights, forecast, observed }) => ({
      flights,
      forecast: forecast / flights,
      observed: observed / flights,
    }));
}

function calibrationError(cases: Case[]): number {
  const bins = reliabilityBins(cases);
  const flights = bins.reduce((sum, bin) => sum + bin.flights, 0);
  const distance = bins.reduce(
    (sum, bin) => sum + bin.flights * Math.abs(bin.forecast - bin.observed),
    0,
  );
  return distance / flights;
}

/** Shifts all forecasts, in log-odds, so that their mean is the rate. */
function shiftToRate(cases: Case[], rate: number): Case[] {
  const flights = Float64Array.from(cases, (one) => one.flights);
  const logOdds = Float64Array.from(cases, ({ p }) => logit(clampProbability(p)));
  const shift = interceptFor(rate * totalsOf(cases).flights, logOdds, flights);
  return cases.map((one, at) => ({ ...one, p: expit(shift + (logOdds[at] as number)) }));
}

/**
 * Limits forecasts to [1e-6, 1 - 1e-6]. Otherwise one wrong forecast of exactly 0 or 1 would make the log loss
 * infinite.
 */
function clampProbability(p: number): number {
  return Math.min(1 - 1e-6, Math.max(1e-6, p));
}

function mean(cases: Case[], valueOf: (one: Case) => number): number {
  let [sum, flights] = [0, 0];
  for (const one of cases) {
    sum += one.flights * valueOf(one);
    flights += one.flights;
  }
  return sum / flights;
}

function totalsOf(cases: Case[]): { flights: number; delayed: number } {
  let [flights, delayed] = [0, 0];
  for (const one of cases) {
    flights += one.flights;
    delayed += one.delayed;
  }
  return { flights, delayed };
}
