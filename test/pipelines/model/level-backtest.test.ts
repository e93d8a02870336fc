import test from 'ava';
import { NothingToMeasureError } from '../../../pipelines/errors.ts';
import { levelBacktest, type LevelBacktestDeps } from '../../../pipelines/model/level-backtest.ts';

const CELL = { carrier: 'AA', airport: 'JFK', arrived_count: 100, late_count: 20 };

/**
 * A table of three months: the forecast from levels is right, last year’s rate is far off, and the rate of the last
 * twelve months is slightly off.
 */
const deps = (requestedMonths: string[] = []): LevelBacktestDeps => ({
  months: async () => ['2022-12', '2023-01', '2024-01'],
  cellsOf: async (month) => {
    requestedMonths.push(month);
    const late_count = month === '2024-01' ? 30 : 20;
    const levels = late_count / 100;
    return [{ ...CELL, late_count, levels, last_year: 0.5, last_twelve: levels + 0.01 }];
  },
  log: () => undefined,
});

test('each month from the cut on is forecast, and levels are compared with both rates by year', async (t) => {
  const requestedMonths: string[] = [];
  const { months, cells, against } = await levelBacktest('2023-01-01', deps(requestedMonths));
  t.deepEqual(requestedMonths, ['2023-01', '2024-01']);
  t.deepEqual([months, cells], [requestedMonths, 2]);
  t.is(against.last_year.all.n, 200);
  t.is(against.last_year.all.clusters, 2);
  t.deepEqual(Object.keys(against.last_twelve.years), ['2023', '2024']);
  const { last_year: year, last_twelve: twelve } = against;
  t.true(year.all.logLoss.difference < twelve.all.logLoss.difference);
  t.true(twelve.all.logLoss.difference < 0);
});

test('a whole month has its observed share, its forecasts and their errors', async (t) => {
  const { wholeMonths, off } = await levelBacktest('2023-01-01', deps());
  t.deepEqual(
    wholeMonths.map(({ month, came }) => [month, came]),
    [
      ['2023-01', 0.2],
      ['2024-01', 0.3],
    ],
  );
  t.is(wholeMonths[1]?.forecast.last_twelve, 0.31);
  t.deepEqual(off.levels.all, { months: 2, logOdds: 0, withinFifth: 2 });
  t.is(off.last_year.years['2024']?.withinFifth, 0);
  t.is(off.last_year.years['2024']?.logOdds.toFixed(4), Math.log(7 / 3).toFixed(4));
});

test('a table that ends before the cut has nothing to measure', async (t) => {
  await t.throwsAsync(levelBacktest('2025-01-01', deps()), { instanceOf: NothingToMeasureError });
});
