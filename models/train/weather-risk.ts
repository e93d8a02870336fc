import { expit } from '../../warehouse/ground/log-odds.ts';
import { hazardShare, type CancellationReading, type HazardReading } from '../weather-risk.ts';
import type { WeatherReadings } from '../../warehouse/store/types.ts';

/** One day at one airport: the weather and the departures. */
export type WeatherFlights = {
  airport: string;
  /** `YYYY-MM-DD`, local. */
  date: string;
  completed: number;
  delayed: number;
  readings: WeatherReadings;
};

/**
 * Two readings of a hazard: the reading at which the hazard begins to have an effect, and the reading at which the
 * effect is full.
 */
export type HazardRange<Reading extends CancellationReading = HazardReading> = {
  hazard: string;
  reading: Reading;
  from: number;
  to: number;
  /**
   * The log-odds at full effect, set by hand because the data cannot determine the effect of this hazard. Absent if the
   * log-odds are fitted.
   */
  setTo?: number;
};

export type FittedHazard<Reading extends CancellationReading = HazardReading> =
  HazardRange<Reading> & {
    logOdds: number;
    standardError: number;
    typical: number;
  };

/**
 * The days of one month at one airport. They share an intercept, so the weather has to explain the differences between
 * the days.
 */
type Level = { intercept: number; days: { day: WeatherFlights; shares: number[] }[] };

const SWEEPS = 60;
/** Lower limit of the intercept, which would be minus infinity for a month without a delay. */
const LOWEST_INTERCEPT = -8;

/**
 * Fits the log-odds of delay that each hazard adds at its full effect, never below 0. Maximises the likelihood of a
 * logistic regression with an intercept for every airport and month. An unknown reading is replaced by the mean of the
 * known readings.
 */
export function fitHazards<Reading extends CancellationReading = HazardReading>(
  days: WeatherFlights[],
  ranges: HazardRange<Reading>[],
): FittedHazard<Reading>[] {
  const typical = ranges.map((range) => typicalShare(days, range));
  const levels = levelsOf(days, ranges, typical);
  const logOdds = ranges.map(({ setTo = 0 }) => setTo);
  let information = ranges.map(() => 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const level of levels) fitIntercept(level, logOdds);
    information = ranges.map(({ setTo }, hazard) =>
      setTo === undefined ? newtonStep(levels, logOdds, hazard) : Infinity,
    );
  }
  const spread = dispersion(levels, logOdds, ranges.length);
  return ranges.map((range, hazard) => ({
    ...range,
    logOdds: logOdds[hazard] ?? 0,
    // Flights of one day share its conditions, so they carry less information than independent flights.
    standardError: Math.sqrt(spread / (information[hazard] ?? 0)),
    typical: typical[hazard] ?? 0,
  }));
}

/** Log-odds that the hazards add to a day with this weather. */
export function addedLogOdds(hazards: FittedHazard[], readings: WeatherReadings): number {
  return hazards.reduce((sum, hazard) => {
    const value = readings[hazard.reading];
    return (
      sum + hazard.logOdds * (value === undefined ? hazard.typical : hazardShare(hazard, value))
    );
  }, 0);
}

function typicalShare(days: WeatherFlights[], range: HazardRange<CancellationReading>): number {
  const values = days.flatMap(({ readings }) => readings[range.reading] ?? []);
  return (
    values.reduce((sum, value) => sum + hazardShare(range, value), 0) / Math.max(1, values.length)
  );
}

function levelsOf(
  days: WeatherFlights[],
  ranges: HazardRange<CancellationReading>[],
  typical: number[],
): Level[] {
  const months = Map.groupBy(days, ({ airport, date }) => airport + date.slice(0, 7));
  return [...months.values()].map((monthDays) => ({
    intercept: -2,
    days: monthDays.map((day) => ({
      day,
      shares: ranges.map((range, hazard) => {
        const value = day.readings[range.reading];
        return value === undefined ? (typical[hazard] ?? 0) : hazardShare(range, value);
      }),
    })),
  }));
}

/** Fits the intercept so that the expected number of delays equals the observed number. */
function fitIntercept(level: Level, logOdds: number[]): void {
  for (let round = 0; round < 3; round++) {
    let [gradient, information] = [0, 0];
    for (const { day, shares } of level.days) {
      const rate = expit(level.intercept + dot(logOdds, shares));
      gradient += day.delayed - day.completed * rate;
      information += day.completed * rate * (1 - rate);
    }
    const intercept = level.intercept + limitStep(gradient / Math.max(information, 1e-9));
    level.intercept = Math.max(LOWEST_INTERCEPT, Math.min(4, intercept));
  }
}

/**
 * Takes one step of Newton's method for one hazard, with fixed intercepts. Returns the information that the days give
 * about the hazard.
 */
function newtonStep(levels: Level[], logOdds: number[], hazard: number): number {
  let [gradient, information] = [0, 0];
  for (const level of levels) {
    let [weight, weighted, squared] = [0, 0, 0];
    for (const { day, shares } of level.days) {
      const effect = shares[hazard] ?? 0;
      const rate = expit(level.intercept + dot(logOdds, shares));
      const dayWeight = day.completed * rate * (1 - rate);
      gradient += effect * (day.delayed - day.completed * rate);
      weight += dayWeight;
      weighted += dayWeight * effect;
      squared += dayWeight * effect * effect;
    }
    if (weight > 0) information += squared - (weighted * weighted) / weight;
  }
  // If the hazard is the same on all days, nothing can be learned about its effect.
  const updatedLogOdds =
    information < 1e-6 ? 0 : (logOdds[hazard] ?? 0) + limitStep(gradient / information);
  logOdds[hazard] = Math.max(0, updatedLogOdds);
  return information;
}

/** Limit of a step in log-odds. If most flights of a day have the outcome, whole steps of Newton's method diverge. */
function limitStep(step: number): number {
  return Math.max(-0.5, Math.min(0.5, step));
}

/** Returns the overdispersion of the days: Pearson's statistic per degree of freedom, at least 1. */
function dispersion(levels: Level[], logOdds: number[], hazards: number): number {
  let [statistic, days] = [0, 0];
  for (const level of levels) {
    for (const { day, shares } of level.days) {
      const rate = expit(level.intercept + dot(logOdds, shares));
      const variance = day.completed * rate * (1 - rate);
      if (variance === 0) continue;
      statistic += (day.delayed - day.completed * rate) ** 2 / variance;
      days += 1;
    }
  }
  return Math.max(1, statistic / Math.max(1, days - levels.length - hazards));
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
