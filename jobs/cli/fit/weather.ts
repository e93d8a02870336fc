import { monthOfYear } from '../../../warehouse/ground/dates.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { atOwnLevel, logLoss, type Held } from '../../../models/evaluate/log-loss.ts';
import type { Fold } from './report.ts';
import {
  addedLogOdds,
  fitHazards,
  type FittedHazard,
  type HazardRange,
  type WeatherFlights,
} from '../../../models/train/weather-risk.ts';

/**
 * Where each effect begins and where it is full. Rain and snow have theirs set by hand: New York's gauges were silent in
 * 2017, rain in Seattle and Portland is gentle, and snow fell on a handful of days.
 */
export const HAZARD_RANGES: readonly HazardRange[] = [
  { hazard: 'wind', reading: 'windMaxKmh', from: 20, to: 70 },
  { hazard: 'precipitation', reading: 'precipMaxMm', from: 0, to: 10, setTo: 0.5 },
  { hazard: 'snow', reading: 'snowfallCm', from: 0, to: 10, setTo: 1 },
  { hazard: 'low visibility', reading: 'visibilityMinM', from: 10_000, to: 500 },
];

type Split = {
  name: string;
  isFit: (day: WeatherFlights) => boolean;
  isHeld: (day: WeatherFlights) => boolean;
};

const isNyc = ({ date }: WeatherFlights) => date < '2018';
const isPnw = ({ date }: WeatherFlights) => date > '2018';
const before =
  (month: number) =>
  ({ date }: WeatherFlights) =>
    monthOfYear(date) < month;

/** Months no parameter has seen, and a region no parameter has seen. */
export const WEATHER_SPLITS: readonly Split[] = [
  {
    name: 'NYC 2017: Jan–Aug → Sep–Dec',
    isFit: (day) => isNyc(day) && before(9)(day),
    isHeld: (day) => isNyc(day) && !before(9)(day),
  },
  {
    name: 'SEA/PDX 2023: Jan–Jul → Aug–Oct',
    isFit: (day) => isPnw(day) && before(8)(day),
    isHeld: (day) => isPnw(day) && !before(8)(day),
  },
  {
    name: 'both: Jan–Jul → the rest',
    isFit: before(8),
    isHeld: (day) => !before(8)(day),
  },
  { name: 'NYC → SEA/PDX', isFit: isNyc, isHeld: isPnw },
  { name: 'SEA/PDX → NYC', isFit: isPnw, isHeld: isNyc },
];

/** How much of what the weather adds is believed; the model's is `WEATHER_BELIEF`. */
const BELIEFS = [0.25, 0.5, 0.75, 1];

/** Airport-months held out: how well weather tells their days apart, against days that are all alike. */
export function weatherFolds(days: WeatherFlights[], { isFit, isHeld }: Split): Fold[] {
  const hazards = fitHazards(days.filter(isFit), [...HAZARD_RANGES]);
  const months = Map.groupBy(
    days.filter(isHeld),
    ({ airport, date }) => airport + date.slice(0, 7),
  );
  return [...months]
    .filter(([, ofMonth]) => ofMonth.some(({ delayed }) => delayed > 0))
    .map(([month, ofMonth]) => ({
      month,
      flights: ofMonth.reduce((sum, { completed }) => sum + completed, 0),
      losses: new Map([
        ['none', lossWith(ofMonth, () => 0)],
        ...BELIEFS.map((belief): [string, number] => [
          `believed by ${belief}`,
          lossWith(ofMonth, (day) => belief * addedLogOdds(hazards, day.readings)),
        ]),
      ]),
    }));
}

/** Delays by what the weather says: observed share against that of calm days, in bands of the added log-odds. */
export function upliftTable(days: WeatherFlights[], hazards: FittedHazard[]) {
  const bands = [0.1, 0.25, 0.5, 0.75, 1, Infinity];
  return bands.map((until, index) => {
    const from = bands[index - 1] ?? 0;
    const ofBand = days.filter(({ readings }) => {
      const added = addedLogOdds(hazards, readings);
      return added >= from && added < until;
    });
    const sum = (pick: (day: WeatherFlights) => number) =>
      ofBand.reduce((all, day) => all + pick(day), 0);
    const completed = sum((day) => day.completed);
    const rate = sum((day) => day.delayed) / completed;
    return { from, until, days: ofBand.length, completed, rate };
  });
}

function lossWith(days: WeatherFlights[], added: (day: WeatherFlights) => number): number {
  const held: Held[] = days
    .filter(({ completed }) => completed > 0)
    .map((day) => ({
      completed: day.completed,
      delayed: day.delayed,
      rate: expit(-2 + added(day)),
    }));
  return logLoss(atOwnLevel(held));
}
