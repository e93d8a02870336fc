import { expit, interceptFor, logit } from '../../warehouse/ground/log-odds.ts';

/** A forecast for a group of like flights, and what became of them. */
export type Case = { p: number; flights: number; delayed: number };

export type Figures = {
  n: number;
  /** Mean of the forecasts, and the share that was delayed. */
  forecast: number;
  observed: number;
  auc: number;
  logLoss: number;
  brier: number;
  /** 1 - Brier / that of always forecasting the base rate. */
  skill: number;
  /** Mean distance of forecast and share in quantile bins. */
  ece: number;
  /** The same once all forecasts were moved, in log-odds, to the level that came. */
  eceAtOwnLevel: number;
};

const BINS = 15;

/** The figures of the forecasts against a base rate; all NaN but `n` without flights. */
export function figuresOf(cases: Case[], baseRate: number): Figures {
  const total = totals(cases);
  const observed = total.delayed / total.flights;
  return {
    n: total.flights,
    forecast: mean(cases, ({ p }) => p),
    observed,
    auc: auc(cases),
    logLoss: mean(cases, ({ p, flights, delayed }) => logLossOf(p, delayed / flights)),
    brier: brier(cases),
    skill: 1 - brier(cases) / brier(cases.map((one) => ({ ...one, p: baseRate }))),
    ece: calibrationError(cases),
    eceAtOwnLevel: calibrationError(atLevel(cases, observed)),
  };
}

/** Probability that a delayed flight has the higher forecast than one on time; ties count half. */
export function auc(cases: Case[]): number {
  const sorted = cases.toSorted((a, b) => a.p - b.p);
  let [below, won] = [0, 0];
  for (let from = 0; from < sorted.length;) {
    const p = sorted[from]?.p;
    let [onTime, delayed] = [0, 0];
    for (; from < sorted.length && sorted[from]?.p === p; from++) {
      const one = sorted[from] as Case;
      delayed += one.delayed;
      onTime += one.flights - one.delayed;
    }
    won += delayed * (below + onTime / 2);
    below += onTime;
  }
  const { flights, delayed } = totals(cases);
  return won / (delayed * (flights - delayed));
}

/** Mean squared distance of forecast and outcome. */
export function brier(cases: Case[]): number {
  return mean(cases, ({ p, flights, delayed }) => brierOf(p, delayed / flights));
}

/** The same of flights of which a share was delayed. */
export function brierOf(p: number, share: number): number {
  return share * (1 - p) ** 2 + (1 - share) * p ** 2;
}

/** Minus the log of what was given to what came, in nats, of flights of which a share was delayed. */
export function logLossOf(p: number, share: number): number {
  const sure = held(p);
  return -(share * Math.log(sure) + (1 - share) * Math.log(1 - sure));
}

/** One bin of a reliability curve: flights of like forecast, what was forecast for them and what came. */
export type Bin = { flights: number; forecast: number; observed: number };

/** The flights in bins of equal number, from the lowest forecast to the highest; a group may be cut in two. */
export function reliability(cases: Case[], bins: number = BINS): Bin[] {
  const size = totals(cases).flights / bins;
  const filled = Array.from({ length: bins }, () => ({ flights: 0, forecast: 0, observed: 0 }));
  let at = 0;
  for (const { p, flights, delayed } of cases.toSorted((a, b) => a.p - b.p)) {
    let left = flights;
    while (left > 0) {
      const bin = filled[Math.min(at, bins - 1)] as Bin;
      const room = at >= bins - 1 ? left : size - bin.flights;
      const taken = Math.min(left, room);
      bin.flights += taken;
      bin.forecast += taken * p;
      bin.observed += (taken * delayed) / flights;
      left -= taken;
      if (taken === room) at += 1;
    }
  }
  return filled
    .filter((bin) => bin.flights > 0)
    .map(({ flights, forecast, observed }) => ({
      flights,
      forecast: forecast / flights,
      observed: observed / flights,
    }));
}

function calibrationError(cases: Case[]): number {
  const bins = reliability(cases);
  const flights = bins.reduce((sum, bin) => sum + bin.flights, 0);
  const distance = bins.reduce(
    (sum, bin) => sum + bin.flights * Math.abs(bin.forecast - bin.observed),
    0,
  );
  return distance / flights;
}

/** The forecasts moved together, in log-odds, until their mean is the rate. */
function atLevel(cases: Case[], rate: number): Case[] {
  const flights = Float64Array.from(cases, (one) => one.flights);
  const logOdds = Float64Array.from(cases, ({ p }) => logit(held(p)));
  const by = interceptFor(rate * totals(cases).flights, logOdds, flights);
  return cases.map((one, at) => ({ ...one, p: expit(by + (logOdds[at] as number)) }));
}

/** Certainty would make one surprise infinitely bad. */
function held(p: number): number {
  return Math.min(1 - 1e-6, Math.max(1e-6, p));
}

function mean(cases: Case[], of: (one: Case) => number): number {
  let [sum, flights] = [0, 0];
  for (const one of cases) {
    sum += one.flights * of(one);
    flights += one.flights;
  }
  return sum / flights;
}

function totals(cases: Case[]): { flights: number; delayed: number } {
  let [flights, delayed] = [0, 0];
  for (const one of cases) {
    flights += one.flights;
    delayed += one.delayed;
  }
  return { flights, delayed };
}
