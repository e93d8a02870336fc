import { firstDay, monthOf } from '../../warehouse/ground/dates.ts';
import type { Model } from '../../models/onnx/model.ts';
import type { Knowledge, Outcome } from '../../warehouse/build/as-of.ts';
import { NothingToMeasureError } from '../errors.ts';
import { casesOf, isMeasurable, rateOf } from './cases.ts';
import { cellsOf, type ForecastCell } from './forecast-cells.ts';
import { forecast, METHODS, type ForecastDeps, type Forecasts } from './forecasts.ts';
import { measure, type Measured } from './measure.ts';
import { curvesOf, fitSlopes } from './score-curves.ts';
import type { Scored } from './score-outcomes.ts';
import { TooLittleHistoryError } from './train-model.ts';

export type Backtest = Measured & {
  cut: string;
  /** Share of the flights before the cut that were delayed; what skill is measured against. */
  baseRate: number;
  /** The days that were forecast from with what was known then; the cut is the first. */
  origins: string[];
  /** Months of history before the cut, its own where it has days before it, and the months that were forecast. */
  trainedOn: string[];
  testedOn: string[];
  /** Flights at airports the service does not know. */
  unscored: number;
};

export type BacktestDeps = ForecastDeps & {
  /** The flights that left in `[from, until)`. */
  outcomesOf: (from: string, until: string) => Promise<Outcome[]>;
  /** Flights of another source that left before a day, for where there are none of this one. */
  historyBefore: (day: string) => Promise<Outcome[]>;
  /** XGBoost as it comes, trained on the same as the model. */
  trainPlain: (knowledge: Knowledge) => Model;
  log: (line: string) => void;
};

/** What was said of the same flights by everything that is served, and by XGBoost as it comes. */
export type BothForecasts = { scored: Forecasts; plain: Forecasts };

/** Days before and after all flights. */
const [START, END] = ['0001-01-01', '9999-12-31'];

/**
 * Trains before the cut (`YYYY-MM-DD`), forecasts from it on, and measures; the cells are what was forecast. With `every`, a
 * rolling origin: after so many months what was known then takes its place, as the nightly build would. Every figure is
 * finite: throws `TooLittleHistoryError`, `HistoryMissingError` or `NothingToMeasureError` where that cannot be.
 */
export async function backtest(
  cut: string,
  deps: BacktestDeps,
  every?: number,
): Promise<{ result: Backtest; cells: ForecastCell[]; forecasts: BothForecasts }> {
  const own = await deps.outcomesOf(START, cut);
  const past = own.length > 0 ? own : await deps.historyBefore(cut);
  if (past.length === 0) throw new TooLittleHistoryError(`there are no flights before ${cut}`);
  const outcomes = await deps.outcomesOf(cut, END);
  if (outcomes.length === 0) throw new NothingToMeasureError(noneFrom(cut, own));
  const baseRate = rateOf(past, `before ${cut}`);
  rateOf(outcomes, `from ${cut} on`);
  const slopes = await fitSlopes(past, cut, deps);
  const origins = originsOf(cut, lastDayOf(outcomes), every);
  const [first, ...later] = await forecastAll(origins, { past, outcomes }, deps);
  if (!first) throw new RangeError('a back-test begins at its cut');
  const known = part(first.scored, (day) => day < cut);
  const scored = joined([
    part(first.scored, (day) => day >= cut),
    ...later.map((one) => one.scored),
  ]);
  checkEveryMethodSays(scored.with_dep_time, cut);
  const plain = joined([first.plain, ...later.map((one) => one.plain)]);
  const curves = curvesOf(slopes, known, { rate: baseRate, isLevelNow: first.isLevelNow });
  const result = {
    cut,
    baseRate,
    origins,
    trainedOn: first.months,
    testedOn: [...new Set(outcomes.map(({ flight_date }) => monthOf(flight_date)))].toSorted(),
    unscored: completed(outcomes) - completed(scored.with_dep_time.map(({ outcome }) => outcome)),
    ...measure({ origins, baseRate, scored, plain, curves }),
  };
  return { result, cells: cellsOf(scored, curves), forecasts: { scored, plain } };
}

/** What was forecast from one day on, the months it was forecast from, and whether these tell the levels of that day. */
type FromOrigin = { months: string[]; isLevelNow: boolean; scored: Forecasts; plain: Forecasts };

/** The flights of each origin until the next one; the first also says how flights before it are scored. */
async function forecastAll(
  origins: string[],
  { past, outcomes }: { past: Outcome[]; outcomes: Outcome[] },
  deps: BacktestDeps,
): Promise<FromOrigin[]> {
  const forecasts: FromOrigin[] = [];
  for (const [at, origin] of origins.entries()) {
    const until = origins[at + 1] ?? END;
    const flights = outcomes.filter((one) => one.flight_date >= origin && one.flight_date < until);
    const knowledge = await deps.knowledgeAsOf(origin);
    const { months } = knowledge.training;
    deps.log(`training on ${months.length} months before ${origin}`);
    const both = at === 0 ? [...thinned(past), ...flights] : flights;
    const scored = forecast(knowledge, both, deps.train(knowledge, 'model'), deps);
    const plain = forecast(knowledge, flights, deps.trainPlain(knowledge), deps);
    const isLevelNow = knowledge.isUsual && deps.openStore(knowledge.store).network.isLevelNow;
    forecasts.push({ months, isLevelNow, scored, plain });
  }
  return forecasts;
}

/** The cut and, with `every`, the first day of every so manieth month after it up to the last day. */
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

function joined(parts: Forecasts[]): Forecasts {
  return {
    with_dep_time: parts.flatMap((one) => one.with_dep_time),
    without_dep_time: parts.flatMap((one) => one.without_dep_time),
  };
}

/** Groups of like flights that are enough to tell the level of their scores. */
const FEW = 20_000;

/** At most that many of the groups, evenly. */
function thinned(outcomes: Outcome[]): Outcome[] {
  const step = Math.ceil(outcomes.length / FEW);
  return outcomes.filter((_, at) => at % step === 0);
}

function part(scored: Forecasts, isIn: (day: string) => boolean): Forecasts {
  const of = (rows: Scored[]) => rows.filter(({ outcome }) => isIn(outcome.flight_date));
  return {
    with_dep_time: of(scored.with_dep_time),
    without_dep_time: of(scored.without_dep_time),
  };
}

function checkEveryMethodSays(rows: Scored[], cut: string): void {
  const silent = METHODS.filter((method) => !isMeasurable(casesOf(rows, method)));
  if (silent.length === 0) return;
  throw new NothingToMeasureError(
    `${silent.join(', ')}: of the flights from ${cut} on at airports and on routes known before, none or all were delayed`,
  );
}

function noneFrom(cut: string, own: Outcome[]): string {
  const lastDay = own.length === 0 ? '' : `; their last day is ${lastDayOf(own)}`;
  return `the files hold no flights from ${cut} on${lastDay}`;
}

function completed(outcomes: Outcome[]): number {
  return outcomes.reduce((all, { completed_count }) => all + completed_count, 0);
}
