import { expit } from '../../warehouse/ground/log-odds.ts';
import { share, type HazardReading } from '../weather-risk.ts';
import type { WeatherReadings } from '../../warehouse/store/types.ts';

/** One airport-day: its weather, and how its departures went. */
export type WeatherFlights = {
  airport: string;
  /** `YYYY-MM-DD`, local. */
  date: string;
  completed: number;
  delayed: number;
  readings: WeatherReadings;
};

/** From where to where a hazard's effect grows. */
export type HazardRange = {
  hazard: string;
  reading: HazardReading;
  from: number;
  to: number;
  /** Log-odds of the full effect where the data cannot tell it; absent: it is fitted. */
  setTo?: number;
};

export type FittedHazard = HazardRange & {
  logOdds: number;
  standardError: number;
  typical: number;
};

/** Days that share a level: a month of an airport. What is left between its days is what weather has to explain. */
type Level = { intercept: number; days: { day: WeatherFlights; shares: number[] }[] };

const SWEEPS = 60;
/** Levels without a delay have an intercept at infinity; this far is as good. */
const LOWEST_INTERCEPT = -8;

/**
 * Log-odds of delay that each hazard adds at its full effect, none below 0: the maximum of the likelihood of a logistic
 * regression with a level for every airport-month. A reading that is unknown counts as the mean of those known.
 */
export function fitHazards(days: WeatherFlights[], ranges: HazardRange[]): FittedHazard[] {
  const typical = ranges.map((range) => typicalShare(days, range));
  const levels = levelsOf(days, ranges, typical);
  const logOdds = ranges.map(({ setTo = 0 }) => setTo);
  let information = ranges.map(() => 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const level of levels) settle(level, logOdds);
    information = ranges.map(({ setTo }, hazard) =>
      setTo === undefined ? step(levels, logOdds, hazard) : Infinity,
    );
  }
  const spread = dispersion(levels, logOdds, ranges.length);
  return ranges.map((range, hazard) => ({
    ...range,
    logOdds: logOdds[hazard] ?? 0,
    // Flights of one day share its fate, so they tell less than so many independent ones.
    standardError: Math.sqrt(spread / (information[hazard] ?? 0)),
    typical: typical[hazard] ?? 0,
  }));
}

/** Log-odds the hazards add to a day of this weather. */
export function addedLogOdds(hazards: FittedHazard[], readings: WeatherReadings): number {
  return hazards.reduce((sum, hazard) => {
    const value = readings[hazard.reading];
    return sum + hazard.logOdds * (value === undefined ? hazard.typical : share(hazard, value));
  }, 0);
}

function typicalShare(days: WeatherFlights[], range: HazardRange): number {
  const known = days.flatMap(({ readings }) => readings[range.reading] ?? []);
  return known.reduce((sum, value) => sum + share(range, value), 0) / Math.max(1, known.length);
}

function levelsOf(days: WeatherFlights[], ranges: HazardRange[], typical: number[]): Level[] {
  const months = Map.groupBy(days, ({ airport, date }) => airport + date.slice(0, 7));
  return [...months.values()].map((ofMonth) => ({
    intercept: -2,
    days: ofMonth.map((day) => ({
      day,
      shares: ranges.map((range, hazard) => {
        const value = day.readings[range.reading];
        return value === undefined ? (typical[hazard] ?? 0) : share(range, value);
      }),
    })),
  }));
}

/** Moves the level until it expects as many delays as there were. */
function settle(level: Level, logOdds: number[]): void {
  for (let round = 0; round < 3; round++) {
    let [gradient, information] = [0, 0];
    for (const { day, shares } of level.days) {
      const rate = expit(level.intercept + dot(logOdds, shares));
      gradient += day.delayed - day.completed * rate;
      information += day.completed * rate * (1 - rate);
    }
    const moved = level.intercept + gradient / Math.max(information, 1e-9);
    level.intercept = Math.max(LOWEST_INTERCEPT, Math.min(4, moved));
  }
}

/** One step of Newton's method for one hazard, with the levels following; returns what the days tell of it. */
function step(levels: Level[], logOdds: number[], hazard: number): number {
  let [gradient, information] = [0, 0];
  for (const level of levels) {
    let [weight, weighted, squared] = [0, 0, 0];
    for (const { day, shares } of level.days) {
      const effect = shares[hazard] ?? 0;
      const rate = expit(level.intercept + dot(logOdds, shares));
      const own = day.completed * rate * (1 - rate);
      gradient += effect * (day.delayed - day.completed * rate);
      weight += own;
      weighted += own * effect;
      squared += own * effect * effect;
    }
    if (weight > 0) information += squared - (weighted * weighted) / weight;
  }
  // Days that do not differ in a hazard tell nothing of it.
  const moved = information < 1e-6 ? 0 : (logOdds[hazard] ?? 0) + gradient / information;
  logOdds[hazard] = Math.max(0, moved);
  return information;
}

/** How much more days differ than chance would have them: Pearson's statistic per degree of freedom. */
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
