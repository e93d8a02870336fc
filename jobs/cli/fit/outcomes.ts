import path from 'node:path';
import { expit, logit } from '../../../warehouse/ground/log-odds.ts';
import { round, sum } from '../../../warehouse/ground/numbers.ts';
import { fileSha256, sha256 } from '../../../warehouse/ground/hashes.ts';
import type { OutcomeStep } from '../../../warehouse/store/outcome-kinds.ts';
import { stormOdds } from '../../../models/outcome-days.ts';
import type { CancellationReading } from '../../../models/weather-risk.ts';
import {
  fitHazards,
  type FittedHazard,
  type HazardRange,
  type WeatherFlights,
} from '../../../models/train/weather-risk.ts';
import { logLoss, shiftToObservedLevel } from '../../../models/evaluate/log-loss.ts';
import { table } from '../tables.ts';
import { compareCandidates, outcomeTable, type Fold } from './report.ts';
import { WEATHER_SPLITS } from './weather.ts';
import { outcomeDays, type OutcomeDay } from './outcome-days.ts';
import { saveText } from './save-weather.ts';
import { WEATHER_SOURCES } from './weather-days.ts';

const PARAMETERS_FILE = path.join(import.meta.dirname, '../../../models/outcome-days.json');

/**
 * Weather that cancels flights. All effects are fitted, except the effect of snow: 20 cm of snow have the effect of
 * eight cold hours with low visibility. That effect is set by hand, because the gauges of these airports measured
 * hardly any snow.
 */
const CANCELLATION_RANGES: readonly HazardRange<CancellationReading>[] = [
  { hazard: 'wind', reading: 'windMaxKmh', from: 30, to: 80 },
  { hazard: 'cold and low visibility', reading: 'coldMistHours', from: 1, to: 8 },
  { hazard: 'low visibility', reading: 'visibilityMinM', from: 5_000, to: 400 },
];
const SNOW = { hazard: 'snow', reading: 'snowfallCm', from: 2, to: 20, typical: 0 } as const;

/**
 * For each outcome that depends on the day: the number of flights that could have this outcome, and the number of
 * flights that did.
 */
const DAY_STEPS: {
  step: OutcomeStep;
  from: (day: OutcomeDay) => number;
  took: (day: OutcomeDay) => number;
}[] = [
  {
    step: 'late15',
    from: (day) => day.completed - day.late30,
    took: (day) => day.late15 - day.late30,
  },
  { step: 'late60', from: (day) => day.late30, took: (day) => day.late60 },
  { step: 'late120', from: (day) => day.late60, took: (day) => day.late120 },
  { step: 'late180', from: (day) => day.late120, took: (day) => day.late180 },
  { step: 'late360', from: (day) => day.late180, took: (day) => day.late360 },
  { step: 'diverted', from: (day) => day.flights, took: (day) => day.diverted },
];

/**
 * Minimum number of completed flights of a day. With fewer flights, the share of delayed flights does not show how bad
 * the day was.
 */
const MIN_COMPLETED = 50;

/** Range of a day's log-odds relative to its month. */
const DAY_RANGE = { hazard: 'day', reading: 'windMaxKmh', from: -3, to: 5 } as const;

/** Days for which the forecast cancellation rate is printed: the New York blizzards of 2017. */
const BLIZZARDS = ['2017-02-09', '2017-03-14'];

/**
 * Fits how the outcomes of flights depend on their day. Prints the fit and, with `write`, saves it.
 * - `daySlopes` is the change in the log-odds of a step when the log-odds of a delay of more than 30 minutes rise by 1.
 * - `hazards` is the weather that cancels flights.
 */
export async function fitOutcomes(dataDir: string, write: boolean): Promise<void> {
  const days = await outcomeDays(dataDir);
  const slopes = DAY_STEPS.map(({ step, from, took }) => ({ step, ...slopeOf(days, from, took) }));
  console.log(
    table(
      ['step', 'slope', 'standard error'],
      slopes.map(({ step, slope, error }) => [step, slope.toFixed(3), error.toFixed(3)]),
    ),
  );
  const weatherDays = days.flatMap(cancellationsOf);
  const hazards = hazardsOf(weatherDays);
  console.log(
    table(
      ['hazard', 'from', 'to', 'log-odds', 'standard error'],
      hazards.map(({ hazard, from, to, logOdds, standardError }) => [
        hazard,
        String(from),
        String(to),
        logOdds.toFixed(2),
        Number.isFinite(standardError) ? standardError.toFixed(2) : 'set by hand',
      ]),
    ),
  );
  const columns = WEATHER_SPLITS.map((split) => ({
    name: split.name,
    outcomes: compareCandidates(cancellationFolds(weatherDays, split), 'no weather'),
  }));
  console.log(outcomeTable('cancellations by the weather of the day', columns));
  const used = hazards.map((one) => ({ ...one, logOdds: STORM_SHARE * one.logOdds }));
  const usualOdds = usualOddsOf(weatherDays, used);
  printBlizzards(weatherDays, used, usualOdds);
  if (!write) return;
  await saveText(PARAMETERS_FILE, await sealed({ slopes, hazards: used, usualOdds }, dataDir));
  console.log(`written to ${PARAMETERS_FILE}`);
}

function slopeOf(
  days: OutcomeDay[],
  from: (day: OutcomeDay) => number,
  took: (day: OutcomeDay) => number,
): { slope: number; error: number } {
  const months = Map.groupBy(days, ({ airport, date }) => airport + date.slice(0, 7));
  const cases = [...months.values()].flatMap((month): WeatherFlights[] => {
    const rate =
      (sum(month.map(({ late30 }) => late30)) + 1) /
      (sum(month.map(({ completed }) => completed)) + 10);
    return month
      .filter(({ completed }) => completed >= MIN_COMPLETED)
      .map((day) => ({
        ...{ airport: day.airport, date: day.date, completed: from(day), delayed: took(day) },
        readings: {
          windMaxKmh: logit((day.late30 + 5 * rate) / (day.completed + 5)) - logit(rate),
        },
      }));
  });
  const [fitted] = fitHazards(cases, [DAY_RANGE]);
  const span = DAY_RANGE.to - DAY_RANGE.from;
  return { slope: (fitted?.logOdds ?? 0) / span, error: (fitted?.standardError ?? 0) / span };
}

function cancellationsOf({ readings, airport, date, flights, cancelled }: OutcomeDay) {
  return readings ? [{ airport, date, completed: flights, delayed: cancelled, readings }] : [];
}

type CancellationHazards = FittedHazard<CancellationReading>[];

function hazardsOf(days: WeatherFlights[]): CancellationHazards {
  const fitted = fitHazards<CancellationReading>(days, [...CANCELLATION_RANGES]);
  const cold = fitted.find(({ reading }) => reading === 'coldMistHours');
  return [...fitted, { ...SNOW, logOdds: cold?.logOdds ?? 0, standardError: Infinity }];
}

/**
 * Share of the weather's log-odds that is used. One region alone has few storms, so the effects are also tested in the
 * other region. This is the largest share that helps there too.
 */
const STORM_SHARE = 0.75;

/** Shares of the weather's log-odds to compare. */
const SHARES = [0.25, 0.5, 0.75, 1];

/** For each airport-month in the test set, returns the log loss with and without the weather of the month's days. */
function cancellationFolds(
  days: WeatherFlights[],
  { isTraining, isTest }: (typeof WEATHER_SPLITS)[number],
): Fold[] {
  const hazards = hazardsOf(days.filter(isTraining));
  const months = Map.groupBy(
    days.filter(isTest),
    ({ airport, date }) => airport + date.slice(0, 7),
  );
  return [...months]
    .filter(([, monthDays]) => monthDays.some(({ delayed }) => delayed > 0))
    .map(([month, monthDays]) => {
      const lossWith = (weight: number) => {
        const groups = monthDays.map(({ completed, delayed, readings }) => ({
          completed,
          delayed,
          rate: expit(logit(0.02) + weight * stormOdds(readings, hazards)),
        }));
        return logLoss(shiftToObservedLevel(groups));
      };
      return {
        month,
        flights: sum(monthDays.map(({ completed }) => completed)),
        losses: new Map([
          ['no weather', lossWith(0)],
          ...SHARES.map((share): [string, number] => [`share ${share}`, lossWith(share)]),
        ]),
      };
    });
}

/**
 * Returns the logarithm of the mean factor over all days. After this logarithm is subtracted, all days together have
 * the usual rate.
 */
function usualOddsOf(days: WeatherFlights[], hazards: CancellationHazards): number {
  const flights = sum(days.map(({ completed }) => completed));
  const factors = days.map((day) => day.completed * Math.exp(stormOdds(day.readings, hazards)));
  return Math.log(sum(factors) / flights);
}

function printBlizzards(
  days: WeatherFlights[],
  hazards: CancellationHazards,
  usualOdds: number,
): void {
  const rows = days
    .filter(({ date }) => BLIZZARDS.includes(date))
    .map(({ airport, date, completed, delayed, readings }) => {
      const factor = Math.exp(stormOdds(readings, hazards) - usualOdds);
      return [airport, date, `${((100 * delayed) / completed).toFixed(0)} %`, factor.toFixed(1)];
    });
  console.log(table(['airport', 'blizzard', 'cancelled', 'factor of the odds'], rows));
}

type Fit = {
  slopes: { step: OutcomeStep; slope: number; error: number }[];
  hazards: CancellationHazards;
  usualOdds: number;
};

async function sealed({ slopes, hazards, usualOdds }: Fit, dataDir: string): Promise<string> {
  const files = WEATHER_SOURCES.flatMap(({ flights, weather }) => [flights, weather]);
  const content = {
    daySlopes: Object.fromEntries(slopes.map(({ step, slope }) => [step, round(slope, 3)])),
    usualOdds: round(usualOdds, 3),
    hazards: hazards.map(({ hazard, reading, from, to, logOdds, typical }) => ({
      ...{ hazard, reading, from, to },
      ...{ logOdds: round(logOdds, 3), typical: round(typical, 4) },
    })),
    provenance: {
      command: 'npm run fit -- outcomes --write',
      sources: await Promise.all(
        files.map(async (file) => ({ file, sha256: await fileSha256(path.join(dataDir, file)) })),
      ),
      setByHand: [SNOW.hazard],
    },
  };
  return `${JSON.stringify({ ...content, seal: sha256(JSON.stringify(content)) }, null, 2)}\n`;
}
