import { monthOfYear } from '../../../warehouse/ground/dates.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';
import {
  shiftToObservedLevel,
  logLoss,
  type PredictedGroup,
} from '../../../models/evaluate/log-loss.ts';
import type { Fold } from './report.ts';
import {
  addedLogOdds,
  fitHazards,
  type FittedHazard,
  type HazardRange,
  type WeatherFlights,
} from '../../../models/train/weather-risk.ts';

/**
 * The readings at which each effect begins and at which it is full. The effects of rain and snow are set by hand: New
 * York's file for 2017 has few precipitation readings, rain in Seattle and Portland is gentle, and snow fell on a
 * handful of days.
 */
export const HAZARD_RANGES: readonly HazardRange[] = [
  { hazard: 'wind', reading: 'windMaxKmh', from: 20, to: 70 },
  { hazard: 'precipitation', reading: 'precipMaxMm', from: 0, to: 10, setTo: 0.5 },
  { hazard: 'snow', reading: 'snowfallCm', from: 0, to: 10, setTo: 1 },
  { hazard: 'low visibility', reading: 'visibilityMinM', from: 10_000, to: 500 },
];

type Split = {
  name: string;
  isTraining: (day: WeatherFlights) => boolean;
  isTest: (day: WeatherFlights) => boolean;
};

const isNyc = ({ date }: WeatherFlights) => date < '2018';
const isPnw = ({ date }: WeatherFlights) => date > '2018';
const isBefore =
  (month: number) =>
  ({ date }: WeatherFlights) =>
    monthOfYear(date) < month;

/** Divisions into training set and test set. Each tests on months or on a region outside its training set. */
export const WEATHER_SPLITS: readonly Split[] = [
  {
    name: 'NYC 2017: Jan–Aug → Sep–Dec',
    isTraining: (day) => isNyc(day) && isBefore(9)(day),
    isTest: (day) => isNyc(day) && !isBefore(9)(day),
  },
  {
    name: 'SEA/PDX 2023: Jan–Jul → Aug–Oct',
    isTraining: (day) => isPnw(day) && isBefore(8)(day),
    isTest: (day) => isPnw(day) && !isBefore(8)(day),
  },
  {
    name: 'both: Jan–Jul → the rest',
    isTraining: isBefore(8),
    isTest: (day) => !isBefore(8)(day),
  },
  { name: 'NYC → SEA/PDX', isTraining: isNyc, isTest: isPnw },
  { name: 'SEA/PDX → NYC', isTraining: isPnw, isTest: isNyc },
];

/** Shares of the weather's log-odds to compare. The service uses `WEATHER_SHARE`. */
const WEATHER_SHARES = [0.25, 0.5, 0.75, 1];

/** For each airport-month in the test set, returns the log loss with and without the weather of the month's days. */
export function weatherFolds(days: WeatherFlights[], { isTraining, isTest }: Split): Fold[] {
  const hazards = fitHazards(days.filter(isTraining), [...HAZARD_RANGES]);
  const months = Map.groupBy(
    days.filter(isTest),
    ({ airport, date }) => airport + date.slice(0, 7),
  );
  return [...months]
    .filter(([, monthDays]) => monthDays.some(({ delayed }) => delayed > 0))
    .map(([month, monthDays]) => ({
      month,
      flights: monthDays.reduce((sum, { completed }) => sum + completed, 0),
      losses: new Map([
        ['no weather', lossOf(monthDays, () => 0)],
        ...WEATHER_SHARES.map((share): [string, number] => [
          `share ${share}`,
          lossOf(monthDays, (day) => share * addedLogOdds(hazards, day.readings)),
        ]),
      ]),
    }));
}

/** Returns the observed share of delayed flights for each band of the log-odds that weather adds. */
export function upliftTable(days: WeatherFlights[], hazards: FittedHazard[]) {
  const bands = [0.1, 0.25, 0.5, 0.75, 1, Infinity];
  return bands.map((until, index) => {
    const from = bands[index - 1] ?? 0;
    const bandDays = days.filter(({ readings }) => {
      const added = addedLogOdds(hazards, readings);
      return added >= from && added < until;
    });
    const sum = (pick: (day: WeatherFlights) => number) =>
      bandDays.reduce((all, day) => all + pick(day), 0);
    const completed = sum((day) => day.completed);
    const rate = sum((day) => day.delayed) / completed;
    return { from, until, days: bandDays.length, completed, rate };
  });
}

function lossOf(days: WeatherFlights[], added: (day: WeatherFlights) => number): number {
  const groups: PredictedGroup[] = days
    .filter(({ completed }) => completed > 0)
    .map((day) => ({
      completed: day.completed,
      delayed: day.delayed,
      rate: expit(-2 + added(day)),
    }));
  return logLoss(shiftToObservedLevel(groups));
}
