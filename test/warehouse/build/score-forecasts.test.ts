import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import {
  writeFrozenForecasts,
  type FrozenForecast,
} from '../../../warehouse/build/frozen-forecasts.ts';
import { scoreForecasts } from '../../../warehouse/build/score-forecasts.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { appendNight } from '../../../warehouse/lake/forecasts/append-night.ts';
import { folderLake } from '../../../warehouse/lake/shared/lake-home.ts';
import type { RecordRow } from '../../../warehouse/live/forecast-record.ts';
import { aFolder, aParquet, REAL_FLIGHTS } from '../../helpers/flight-files.ts';

const NYC = path.join(REAL_FLIGHTS, 'nyc_2017.parquet');
/** The evening flights of two weeks from New York. */
const CUT = `select * from '${NYC}' where month = 11 and day <= 14 and hour in (17, 18, 19)`;

type Cell = {
  carrier: string;
  origin: string;
  dest: string;
  hour: number;
  date: string;
  p: number;
};

/** A frozen forecast for an airline's flights on a route, in one hour of a day. */
function aForecast({ carrier, origin, dest, hour, date, p }: Cell): FrozenForecast {
  const weather = { dep_weather_basis: 'none', dep_weather_risk: 0 };
  return {
    ...{ night: '2017-10-31', frozen_at: '2017-10-31T03:20:00Z', horizon_days: 7, provider: 'bts' },
    ...{ carrier, origin, dest, crs_dep_hour: hour, flight_date: date, traffic: 'busy' },
    ...{ tier: 'exact', score: 30, label: 'Moderate', confidence: 0.9 },
    ...{ late_probability: p, disrupted_probability: Math.min(1, 1.1 * p) },
    ...{ ...weather, arr_weather_basis: 'none', arr_weather_risk: 0, store_version: 'store' },
  };
}

/** A lake with these files and one night of forecasts. */
async function aLake(t: ExecutionContext, files: string[], forecasts: FrozenForecast[]) {
  const lakeDir = path.join(await aFolder(t), 'lake');
  for (const file of files) {
    await extractFile(
      { path: file },
      createExtractDeps({ lakeDir, codeVersion: 't' }),
      () => undefined,
    );
  }
  await appendNight({
    ...{ lakeDir, home: folderLake((_, work) => work()), night: '2017-10-31' },
    freeze: async (file) => {
      await writeFrozenForecasts(file, forecasts);
      const versions = { storeVersion: 'store', codeVersion: 'code' };
      return { rows: forecasts.length, frozenAt: '2017-10-31T03:20:00Z', ...versions };
    },
  });
  return lakeDir;
}

function find(rows: RecordRow[], outcome: string, carrier = 'all', month = 'all') {
  return rows.find(
    (row) =>
      row.outcome === outcome &&
      row.carrier === carrier &&
      row.month === month &&
      row.provider === 'all',
  );
}

/**
 * The figures of all flights, written by hand: every flight is a row, and the AUC compares each pair of flights. `y` is
 * the outcome and `p` its forecast.
 */
const BY_HAND = `
  with bins as (
    select *, avg(p) over bin as bin_p, avg(y) over bin as bin_y, avg(y) over () as all_y
    from flights window bin as (partition by floor(p * 40))
  ),
  days as (
    select sum((p - y) ** 2 - (select avg((p - y) ** 2) from flights)) as brier_sum,
      sum(p - y - (select avg(p - y) from flights)) as level_sum
    from flights group by day
  )
  select
    (select count(*) from flights) as flight_count,
    (select avg(p) from flights) as forecast,
    (select avg(y) from flights) as actual,
    (select avg(p - y) from flights) as level,
    (select avg((p - y) ** 2) from flights) as brier,
    (select avg(-y * ln(p) - (1 - y) * ln(1 - p)) from flights) as log_loss,
    (select avg((bin_p - bin_y) ** 2) from bins) as reliability,
    (select avg((bin_y - all_y) ** 2) from bins) as resolution,
    (select avg(y) * (1 - avg(y)) from flights) as uncertainty,
    (select avg(case when a.p > b.p then 1 when a.p = b.p then 0.5 else 0 end)
      from flights as a, flights as b where a.y = 1 and b.y = 0) as auc,
    (select sqrt(count(*) / (count(*) - 1) * sum(brier_sum ** 2)) from days) / (select count(*) from flights) as brier_noise,
    (select sqrt(count(*) / (count(*) - 1) * sum(level_sum ** 2)) from days) / (select count(*) from flights) as level_noise`;

test('the figures of real flights equal hand-written SQL', async (t) => {
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const cells = await db.rows<Cell>(
    `select distinct carrier, origin, dest, hour::int as hour, make_date(year::int, month::int, day::int)::varchar as date,
       0.02 + (hash(carrier, dest, hour, day) % 400)::double / 1000 as p
     from (${CUT}) order by all`,
  );
  const lakeDir = await aLake(t, [await aParquet(t, CUT)], cells.map(aForecast));
  const { rows, forecasts } = await scoreForecasts(lakeDir);
  t.is(forecasts, cells.length);
  const flight = `select make_date(year::int, month::int, day::int) as day, carrier,
      0.02 + (hash(carrier, dest, hour::int, day) % 400)::double / 1000 as cell_p,
      dep_time is null as is_cancelled, arr_delay from (${CUT})`;
  for (const [outcome, carrier, sql] of [
    [
      'disrupted',
      'all',
      `select day, least(1, 1.1 * cell_p) as p, (is_cancelled or coalesce(arr_delay > 30, false))::int as y from (${flight})`,
    ],
    [
      'late',
      'B6',
      `select day, cell_p as p, (arr_delay > 30)::int as y from (${flight})
       where carrier = 'B6' and not is_cancelled and arr_delay is not null`,
    ],
  ] as const) {
    await db.run(`create or replace table flights as ${sql}`);
    const [expected] = await db.rows<Record<string, number>>(BY_HAND);
    const row = find(rows, outcome, carrier) as Record<string, unknown> | undefined;
    t.true((expected?.['flight_count'] ?? 0) > 250, `${expected?.['flight_count']} flights`);
    for (const [name, value] of Object.entries(expected ?? {})) {
      t.true(
        Math.abs(Number(row?.[name]) - value) < 1e-9,
        `${outcome} ${name}: ${row?.[name]}, ${value}`,
      );
    }
    t.is(row?.['block_count'], 14);
  }
});

test('the noise of the AUC and of the decomposition is that of leaving out days', async (t) => {
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  await db.runFile('record/tables');
  // Thirty days with 40 flights each. Some days are bad for all flights.
  await db.run(
    `insert into cases by name
     select 'live' as kind, '2026-01' as month, 1 as horizon_days, 'bts' as provider, 'AA' as carrier,
       'JFK' as origin, 'LAX' as dest, 8 as local_hour, '' as slot, day::varchar as block,
       0.05 + (hash(day, n) % 30)::double / 100 as late_probability, 0.2 as disrupted_probability, 1 as completed_count,
       (hash(n, day, 1) % 100 < 100 * late_probability + (case when day % 5 = 0 then 25 else 0 end))::int as delayed_count,
       0 as diverted_count, 0 as cancelled_count
     from range(30) days(day), range(40) flights(n)`,
  );
  const names = ['auc', 'reliability', 'resolution', 'uncertainty', 'brier', 'log_loss'] as const;
  const figures = async () => {
    await db.runFile('record/figures');
    const [row] = await db.rows<RecordRow>(
      `from figures where outcome = 'late' and month = 'all' and provider = 'all' and carrier = 'all'`,
    );
    return row!;
  };
  const whole = await figures();
  await db.run('create table all_cases as from cases');
  const without: RecordRow[] = [];
  for (let day = 0; day < 30; day += 1) {
    await db.run(`delete from cases; insert into cases from all_cases where block <> '${day}'`);
    without.push(await figures());
  }
  for (const name of names) {
    const values = without.map((row) => Number(row[name]));
    const mean = values.reduce((a, b) => a + b) / 30;
    const jackknife = Math.sqrt((29 / 30) * values.reduce((a, b) => a + (b - mean) ** 2, 0));
    const noise = Number(whole[`${name}_noise`]);
    t.true(Math.abs(noise / jackknife - 1) < 0.2, `${name}: ${noise}, ${jackknife}`);
  }
});

test('a month without days is compared with the mean of its forecasts', async (t) => {
  const counts = await aParquet(
    t,
    `select '2017-11-01' as month, 'DL' as carrier, 'JFK' as origin, 'LAX' as dest, 8 as crs_dep_hour,
       'arrival' as delay_basis, 50 as flight_count, 2 as cancelled_count, 1 as diverted_count, 47 as completed_count,
       20 as delayed15_count, 10 as delayed_count, 5 as delayed60_count, 1 as delayed120_count, 500 as delayed_min_sum`,
  );
  const cell = { carrier: 'DL', origin: 'JFK', dest: 'LAX', hour: 8 };
  const lakeDir = await aLake(
    t,
    [counts],
    [
      aForecast({ ...cell, date: '2017-11-03', p: 0.1 }),
      aForecast({ ...cell, date: '2017-11-20', p: 0.2 }),
      aForecast({ ...cell, date: '2017-12-01', p: 0.9 }),
      aForecast({ ...cell, hour: 9, date: '2017-11-03', p: 0.9 }),
    ],
  );
  const { rows } = await scoreForecasts(lakeDir);
  t.like(find(rows, 'late', 'DL', '2017-11'), {
    flight_count: 47,
    event_count: 10,
    block_count: 1,
  });
  t.true(Math.abs((find(rows, 'late')?.forecast ?? 0) - 0.15) < 1e-12);
  t.like(find(rows, 'disrupted'), { flight_count: 50, event_count: 12, brier_noise: null });
});
