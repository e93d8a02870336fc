import type { ExecutionContext } from 'ava';
import path from 'node:path';
import { compareWith, saveForecasts } from '../../../../jobs/cli/commands/backtest-forecasts.ts';
import { CommandError } from '../../../../jobs/errors.ts';
import { backtestFiles, type BacktestRequest } from '../../../../jobs/wiring/backtest-files.ts';
import { aFile, aFlight, aFolder, aParquet, toCsv } from '../../../helpers/flight-files.ts';
import { oncePerRun } from '../../../helpers/once-per-run.ts';
import { testWithXgboost as test } from '../../../models/helpers/test-with-xgboost.ts';

/**
 * A seed of eight months with two airlines; DL is late more often. From July on, `later` flights in each row are late.
 */
function aSeed(t: ExecutionContext, later = 20) {
  return aParquet(
    t,
    `select ('2017-' || lpad(month::varchar, 2, '0') || '-01') as month, carrier, 'JFK' as origin, dest, hour as crs_dep_hour,
       'arrival' as delay_basis, 200 as flight_count, 0 as cancelled_count, 0 as diverted_count, 200 as completed_count,
       late as delayed15_count, late as delayed_count, 0 as delayed60_count, 0 as delayed120_count, 40 * late as delayed_min_sum
     from range(1, 9) as months (month), (values ('LAX'), ('SEA')) as dests (dest), (values (7), (19)) as hours (hour),
       (values ('AA', 10), ('DL', 40)) as carriers (carrier, usual),
       lateral (select case when month < 7 then usual + hour else ${later} end as late)`,
  );
}

/** A flight of each airline on every day of July 2017; DL is late every other day. B6 is not in the seed. */
function julyOf(t: ExecutionContext) {
  const rows = Array.from({ length: 31 }, (_, day) =>
    ['AA', 'DL', 'B6'].map((carrier) => {
      const isLate = carrier === 'DL' ? day % 2 === 0 : day % 10 === 0;
      const delay = isLate ? '60' : '0';
      const date = `2017-07-${String(day + 1).padStart(2, '0')}`;
      const times = { CRS_DEP_TIME: '0700', ARR_DELAY: delay, DEP_DELAY: delay };
      return aFlight({ FL_DATE: date, OP_UNIQUE_CARRIER: carrier, DEST: 'LAX', ...times });
    }),
  );
  return aFile(t, toCsv(rows.flat()));
}

async function runBacktest(t: ExecutionContext, change: Partial<BacktestRequest> = {}) {
  return backtestFiles({
    files: [await julyOf(t)],
    cut: '2017-07-01',
    seedFiles: [await aSeed(t)],
    codeVersion: 'test',
    log: () => undefined,
    ...change,
  });
}

/** Forecasts the whole of July from the seed, once for each value of `later`. */
function wholeJuly(t: ExecutionContext, later: number) {
  return oncePerRun(`backtest of July, late as ${later}`, async () =>
    runBacktest(t, { seedFiles: [await aSeed(t, later)] }),
  );
}

test('a file without flights before the cut is forecast from the months of the seed before the cut', async (t) => {
  const { result, cells } = await wholeJuly(t, 20);
  t.deepEqual(
    result.trainedOn,
    ['01', '02', '03', '04', '05', '06'].map((month) => `2017-${month}`),
  );
  t.deepEqual(result.testedOn, ['2017-07']);
  t.true(result.blend.with_dep_time.auc > 0.6);
  t.deepEqual(
    result.tiers.map(({ airline, exact, route_any_airline }) => [
      airline,
      exact,
      route_any_airline,
    ]),
    [
      ['all', 2 / 3, 1 / 3],
      ['AA', 1, 0],
      ['B6', 0, 1],
      ['DL', 1, 0],
    ],
  );
  const { cells: other } = await wholeJuly(t, 190);
  t.deepEqual(other, cells, 'months of the seed after the cut change no forecast');
});

test('with the bundled history only, days of the file before the cut are not used', async (t) => {
  const [file, cut] = [await julyOf(t), '2017-07-20'];
  const { result: both } = await runBacktest(t, { files: [file], cut });
  const { result: box } = await runBacktest(t, { files: [file], cut, box: true });
  t.is(both.trainedOn.at(-1), '2017-07');
  t.is(box.trainedOn.at(-1), '2017-06');
  t.is(box.blend.with_dep_time.n, both.blend.with_dep_time.n);
});

test('saved forecasts are compared, by day, with other forecasts of the same flights', async (t) => {
  const file = path.join(await aFolder(t), 'saved.gz');
  const forecasts = await wholeJuly(t, 20);
  await saveForecasts(file, await wholeJuly(t, 190));
  const same = await compareWith(file, forecasts);
  t.is(same.unpaired, 0);
  t.deepEqual(same.by.blend.with_dep_time.clusters, 31);
  t.is(same.by.blend.with_dep_time.brier.difference, 0);
  await t.throwsAsync(compareWith(await julyOf(t), forecasts), { instanceOf: CommandError });
});
