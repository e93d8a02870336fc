import { firstDay, monthOf } from '../../warehouse/ground/dates.ts';
import type { Model } from '../../models/onnx/model.ts';
import type { Knowledge, Outcome } from '../../warehouse/build/as-of.ts';
import { NothingToMeasureError } from '../errors.ts';
import { casesOf, isMeasurable, rateOf } from './cases.ts';
import { cellsOf, type ForecastCell } from './forecast-cells.ts';
import { forecast, METHODS, type ForecastDeps, type Forecasts } from './forecasts.ts';
import { measure, type Measurements } from './measure.ts';
import { curvesOf, fitSlopes } from './score-curves.ts';
import type { ScoredOutcome } from './score-outcomes.ts';
import { TooLittleHistoryError } from './train-model.ts';

export type Backtest = Measurements & {
  cut: string;
  /**
   * Share of delayed flights before the cut. Skill is measured against a forecast that has this value for every flight.
   */
  baseRate: number;
  /**
   * The days on which forecasts were made, with the data known on each day. The first of these days is the cut.
   */
  origins: string[];
  /**
   * Months of history before the cut, and months that were forecast. The month of the cut is included in the history if
   * it has days before the cut.
   */
  trainedOn: string[];
  testedOn: string[];
  /** Flights that were left out, because their airports are unknown. */
  unscored: number;
};

export type BacktestDeps = ForecastDeps & {
  /** The flights that departed in `[from, until)`. */
  outcomesOf: (from: string, until: string) => Promise<Outcome[]>;
  /**
   * Returns flights of another source that departed before a day. The backtest uses them if its own source has no
   * flights before the cut.
   */
  historyBefore: (day: string) => Promise<Outcome[]>;
  /** Trains XGBoost with default settings on the same data as the model. */
  trainPlain: (knowledge: Knowledge) => Model;
  log: (line: string) => void;
};

/** Forecasts of the same flights by the served methods, and by XGBoost with default settings. */
export type BothForecasts = { scored: Forecasts; plain: Forecasts };

/** A day before all flights, and a day after all flights. */
const [START, END] = ['0001-01-01', '9999-12-31'];

/**
 * Trains on the flights before the cut (`YYYY-MM-DD`), forecasts the flights from the cut on, and measures the
 * forecasts. Also returns the forecasts as cells. If `every` is given, makes the forecasts again after every `every`
 * months, each time with the data known on that day. Throws `TooLittleHistoryError`, `HistoryMissingError` or
 * `NothingToMeasureError` if a figure would not be finite.
 */
export async function backtest(
  cut: string,
  deps: BacktestDeps,
  every?: number,
): Promise<{ result: Backtest; cells: ForecastCell[]; forecasts: BothForecasts }> {
  const sourceHistory = await deps.outcomesOf(START, cut);
  const past = sourceHistory.length > 0 ? sourceHistory : await deps.historyBefore(cut);
  if (past.length === 0) throw new TooLittleHistoryError(`there are no flights before ${cut}`);
  const outcomes = await deps.outcomesOf(cut, END);
  if (outcomes.length === 0) throw new NothingToMeasureError(noFlightsMessage(cut, sourceHistory));
  const baseRate = rateOf(past, `before ${cut}`);
  rateOf(outcomes, `from ${cut} on`);
  const slopes = await fitSlopes(past, cut, deps);
  const origins = originsOf(cut, lastDayOf(outcomes), every);
  const [first, ...later] = await forecastAll(origins, { past, outcomes }, deps);
  if (!first) throw new RangeError('the backtest has no forecasts for the day of its cut');
  const pastForecasts = selectDays(first.scored, (day) => day < cut);
  const scored = concatForecasts([
    selectDays(first.scored, (day) => day >= cut),
    ...later.map((one) => one.scored),
  ]);
  checkEveryMethod(scored.with_dep_time, cut);
  const plain = concatForecasts([first.plain, ...later.map((one) => one.plain)]);
  const curves = curvesOf(slopes, pastForecasts, { rate: baseRate, isLevelNow: first.isLevelNow });
  const result = {
    cut,
    baseRate,
    origins,
    trainedOn: first.months,
    testedOn: [...new Set(outcomes.map(({ flight_date }) => monthOf(flight_date)))].toSorted(),
    unscored:
      countCompleted(outcomes) - countCompleted(scored.with_dep_time.map(({ outcome }) => outcome)),
    ...measure({ origins, baseRate, scored, plain, curves }),
  };
  return { result, cells: cellsOf(scored, curves), forecasts: { scored, plain } };
}

/**
 * The forecasts made on one day, the months of history that they used, and whether the levels were known on that day.
 */
type OriginForecasts = {
  months: string[];
  isLevelNow: boolean;
  scored: Forecasts;
  plain: Forecasts;
};

/**
 * On each forecast day, forecasts the flights that depart before the next forecast day. On the first day (the cut),
 * also scores the flights before the cut.
 */
async function forecastAll(
  origins: string[],
  { past, outcomes }: { past: Outcome[]; outcomes: Outcome[] },
  deps: BacktestDeps,
): Promise<OriginForecasts[]> {
  const forecasts: OriginForecasts[] = [];
  for (const [at, origin] of origins.entries()) {
    const until = origins[at + 1] ?? END;
    const flights = outcomes.filter((one) => one.flight_date >= origin && one.flight_date < until);
    const knowledge = await deps.knowledgeAsOf(origin);
    const { months } = knowledge.training;
    deps.log(`training on ${months.length} months before ${origin}`);
    const flightsToScore = at === 0 ? [...sampleEvenly(past), ...flights] : flights;
    const scored = forecast(knowledge, flightsToScore, deps.train(knowledge, 'model'), deps);
    const plain = forecast(knowledge, flights, deps.trainPlain(knowledge), deps);
    const isLevelNow = knowledge.isUsual && deps.openStore(knowledge.store).network.isLevelNow;
    forecasts.push({ months, isLevelNow, scored, plain });
  }
  return forecasts;
}

/**
 * Returns the days on which forecasts are made, up to the last day: the cut and, if `every` is given, the first day
 * after each further `every` months.
 */
function originsOf(cut: string, lastDay: string, every: number | undefined): string[] {
  const origins = [cut];
  if (every === undefined) return origins;
  for (let ahead = every; ; ahead += every) {
    const day = firstDay(cut, ahead);
    if (day > lastDay) return origins;
    origins.push(day);
  }
}

function lastDayOf(outcomes: Outcome[]): string {
  return outcomes.reduce((day, one) => (one.flight_date > day ? one.flight_date : day), '');
}

function concatForecasts(parts: Forecasts[]): Forecasts {
  return {
    with_dep_time: parts.flatMap((one) => one.with_dep_time),
    without_dep_time: parts.flatMap((one) => one.without_dep_time),
  };
}

/**
 * Maximum number of groups that are used to convert scores to probabilities. More groups would not improve the
 * conversion.
 */
const MAX_GROUPS = 20_000;

/** Selects at most `MAX_GROUPS` groups, evenly. */
function sampleEvenly(outcomes: Outcome[]): Outcome[] {
  const step = Math.ceil(outcomes.length / MAX_GROUPS);
  return outcomes.filter((_, at) => at % step === 0);
}

function selectDays(scored: Forecasts, isIn: (day: string) => boolean): Forecasts {
  const select = (rows: ScoredOutcome[]) => rows.filter(({ outcome }) => isIn(outcome.flight_date));
  return {
    with_dep_time: select(scored.with_dep_time),
    without_dep_time: select(scored.without_dep_time),
  };
}

function checkEveryMethod(rows: ScoredOutcome[], cut: string): void {
  const unmeasurable = METHODS.filter((method) => !isMeasurable(casesOf(rows, method)));
  if (unmeasurable.length === 0) return;
  throw new NothingToMeasureError(
    `cannot measure ${unmeasurable.join(', ')}. The flights on or after ${cut} must include both delayed flights and flights on time, at known airports and on known routes.`,
  );
}

function noFlightsMessage(cut: string, sourceHistory: Outcome[]): string {
  const lastDay =
    sourceHistory.length === 0 ? '' : `; their last day is ${lastDayOf(sourceHistory)}`;
  return `the files have no flights from ${cut} on${lastDay}`;
}

function countCompleted(outcomes: Outcome[]): number {
  return outcomes.reduce((all, { completed_count }) => all + completed_count, 0);
}
