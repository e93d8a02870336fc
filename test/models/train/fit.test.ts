import { FEATURES } from '../../../models/features.ts';
import { fitModel } from '../../../models/train/fit.ts';
import { rowsWhere, toTrainingRows, type TrainingRows } from '../../../models/train/rows.ts';
import { openXgboost } from '../../../models/train/xgboost.ts';
import { testWithXgboost as test } from '../helpers/test-with-xgboost.ts';

/** Flights of one airline in one month. */
type Group = {
  month_number: number;
  carrier_effect: number;
  distance_km?: number;
  flights: number;
  late: number;
};

/** Eleven months of two airlines; one airline is late more often. */
const USUAL: Group[] = Array.from({ length: 11 }, (_, month_number) => [
  { month_number, carrier_effect: -0.5, flights: 1000, late: 100 },
  { month_number, carrier_effect: 0.5, flights: 1000, late: 230 },
]).flat();

/**
 * Training rows with each group twice: once with the effects known before its month, and once with the effects that the
 * API uses.
 */
function rowsOf(groups: Group[]): TrainingRows {
  const rows = [1, 0].flatMap((is_forecast) =>
    groups.map(({ flights, late, ...group }) => ({
      is_forecast,
      flight_count: flights,
      delayed_count: late,
      level_shift: Number.NaN,
      ...group,
    })),
  );
  const names = ['is_forecast', 'month_number', 'flight_count', 'delayed_count', 'level_shift'];
  const columns = [...names, ...FEATURES.map(({ name }) => name)].map((name) => [
    name,
    Float64Array.from(rows, (row: Record<string, number>) => row[name] ?? 0),
  ]);
  return toTrainingRows(Object.fromEntries(columns));
}

function fit(groups: Group[]) {
  const settings = { seed: 1, calendarDays: 365 };
  return fitModel(openXgboost(), rowsOf(groups), settings, () => undefined);
}

const near = (a: number, b: number, tolerance: number) => Math.abs(a - b) < tolerance;

for (const [subject, late] of [
  ['every flight', 3],
  ['no flight', 0],
] as const) {
  test(`a month with few flights in which ${subject} was late hardly changes the fit`, (t) => {
    const odd = { month_number: 11, carrier_effect: 0, flights: 3, late };
    const [usual, both] = [fit(USUAL), fit([...USUAL, odd])];
    t.true(near(both.level, usual.level, 0.02), `${both.level}, not ${usual.level}`);
    t.true(near(both.effectWeight, usual.effectWeight, 0.02), `${both.effectWeight}`);
  });
}

test('a history of one month has no trees, and its effects have full weight', (t) => {
  const { forecast, served } = rowsOf(USUAL);
  const rows = { forecast: rowsWhere(forecast, () => false), served };
  const model = fitModel(openXgboost(), rows, { seed: 1, calendarDays: 31 }, () => undefined);
  t.is(model.trees, undefined);
  t.is(model.effectWeight, 1);
});

/** Months in which long flights are late more often than short ones, or less often. */
function byDistance(isLongLate: boolean[]): Group[] {
  return isLongLate.flatMap((isLong, month_number) =>
    [500, 3000].map((distance_km) => ({
      month_number,
      carrier_effect: 0,
      distance_km,
      flights: 3000,
      late: distance_km > 1000 === isLong ? 600 : 300,
    })),
  );
}

test('trees are kept when they improve the forecast of every later month', (t) => {
  t.truthy(fit(byDistance([true, true, true, true, true, true])).trees);
});

test('trees are dropped when they make the forecast of some later months worse by as much', (t) => {
  t.is(fit(byDistance([true, true, true, true, false, true])).trees, undefined);
});

test('one later month is not enough, so a history of half a year has no trees', (t) => {
  t.is(fit(byDistance([true, true, true])).trees, undefined);
});

test('weekdays have half weight after a year of flights with dates, and none without dates; holidays count in full', (t) => {
  const weights = (calendarDays: number) =>
    fitModel(openXgboost(), rowsOf(USUAL), { seed: 1, calendarDays }, () => undefined).dayWeights;
  t.like(weights(365), { weekday_odds: 0.5, holiday_odds: 1, month_odds: 1 });
  t.like(weights(0), { weekday_odds: 0, holiday_odds: 1 });
});
