import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { recordForecasts } from '../../../../jobs/cli/record/record-step.ts';
import { createLedger } from '../../../../jobs/wiring/ledger.ts';
import { openDatabase } from '../../../../warehouse/connect.ts';
import { dateAt, DAY_MS } from '../../../../warehouse/ground/dates.ts';
import { listForecastFiles } from '../../../../warehouse/lake/forecasts/nights.ts';
import { verifyNights } from '../../../../warehouse/lake/forecasts/verify-nights.ts';
import { folderLake } from '../../../../warehouse/lake/shared/lake-home.ts';
import { readForecastRecord, type RecordRow } from '../../../../warehouse/live/forecast-record.ts';
import { saveForecasts } from '../../../../warehouse/live/forecasts.ts';
import { aFlight, numberFlights, toCsv } from '../../../helpers/flight-files.ts';
import { publishedWorld, silent } from '../../helpers/pipeline-world.ts';

/** Four flights of two airlines on each day of July 2018, in the morning and in the evening. */
function julyCsv(): string {
  const days = Array.from({ length: 31 }, (_, at) => dateAt(Date.UTC(2018, 6, 1 + at)));
  const rows = days.flatMap((day, nth) =>
    ['AA', 'DL'].flatMap((carrier, airline) =>
      ['0800', '1800'].flatMap((time, hour) =>
        [0, 1, 2].map((copy) => {
          const isLate = (nth * 5 + airline * 3 + hour * 2 + copy) % 6 === 0;
          const delay = isLate ? '45.00' : '0.00';
          const isCancelled = nth % 9 === 0 && copy === 0;
          return aFlight({
            ...{ FL_DATE: day, OP_UNIQUE_CARRIER: carrier, CRS_DEP_TIME: time },
            ...{ DEP_TIME: time, ARR_DELAY: delay, DEP_DELAY: delay },
            ...(isCancelled && {
              ...{ DEP_TIME: '', ARR_TIME: '', ARR_DELAY: '', DEP_DELAY: '' },
              CANCELLED: '1.00',
            }),
          });
        }),
      ),
    ),
  );
  return toCsv(numberFlights(rows));
}

/** A published service with forecasts of the weather, and a function that runs the job of a night. */
async function aService(t: ExecutionContext) {
  const world = await publishedWorld(t, julyCsv());
  const { redis, url, dataDir, paths } = world;
  const clock = { at: new Date('2018-07-03T03:20:00Z') };
  const now = () => clock.at;
  const readings = { tempMeanC: 25, windMaxKmh: 60, precipMaxMm: 9 };
  const days = new Map([['2018-07-04', readings]]);
  await saveForecasts(redis, new Map([['JFK', { fetchedAt: clock.at.toISOString(), days }]]));
  const ledger = { ...createLedger(paths, 'test'), now };
  const night = () =>
    recordForecasts({
      ...{ paths, dataDir, redis, redisUrl: url, home: folderLake((_, work) => work()), ledger },
      ...{ modelDeadlineMs: 5_000, now, log: pino({ level: 'silent' }) },
    });
  const nextNight = () => {
    clock.at = new Date(clock.at.getTime() + DAY_MS);
    return night();
  };
  return { ...world, night, nextNight };
}

/** The figures of all airlines, providers and months together at a horizon. */
function totalOf(rows: RecordRow[], outcome: string, horizon: number): RecordRow | undefined {
  return rows.find(
    (row) =>
      row.outcome === outcome &&
      row.horizon_days === horizon &&
      [row.month, row.provider, row.carrier].every((one) => one === 'all'),
  );
}

test('nights freeze forecasts with their weather, and months score them', async (t) => {
  const { night, nextNight, redis, paths, runs, steps } = await aService(t);
  const { summary } = await night();
  t.regex(summary, /^8 forecasts of 2018-07-03 frozen, night 1 of the chain; 12 live/);
  t.regex((await night()).summary, /^8 forecasts of 2018-07-03 were frozen before, night 1/);
  await nextNight();
  await nextNight();
  t.like(await verifyNights(paths.lakeDir), { checked: 3, damaged: [] });
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const files = await listForecastFiles(paths.lakeDir);
  await db.run(
    `create view frozen as from read_parquet([${files.map((file) => `'${file}'`).join()}])`,
  );
  const [weather] = await db.rows<object>(
    `select dep_temp_c, dep_wind_max_kmh, dep_weather_basis, arr_weather_basis, provider, dest, crs_dep_hour in (8, 18) as is_flown
     from frozen where flight_date = date '2018-07-04' and horizon_days = 1 limit 1`,
  );
  t.deepEqual(weather, {
    ...{ dep_temp_c: 25, dep_wind_max_kmh: 60, dep_weather_basis: 'forecast' },
    ...{ arr_weather_basis: 'none', provider: 'bts', dest: 'LAX', is_flown: true },
  });
  const record = await readForecastRecord(redis);
  t.like(record, {
    ...{ forecasts: 24, firstFlightDate: '2018-07-04' },
    chain: { firstNight: '2018-07-03', lastNight: '2018-07-05', nights: 3 },
  });
  const one = totalOf(record!.rows, 'disrupted', 1);
  // Two airlines, each at one hour, on three days with three flights.
  t.like(one, { kind: 'live', flight_count: 18, block_count: 3 });
  t.is(totalOf(record!.rows, 'disrupted', 30), undefined, 'no flights of August are loaded');
  await db.run(`create table flights as from read_csv($file)`, {
    file: paths.lakeDir.replace(/lake$/, 'flights.csv'),
  });
  const [byHand] = await db.rows<Record<string, number>>(
    `select count(*) as flights, avg(p) as forecast, avg(y) as actual, avg((p - y) ** 2) as brier,
       avg(-y * ln(p) - (1 - y) * ln(1 - p)) as log_loss
     from (
       select disrupted_probability as p, (CANCELLED = 1 or ARR_DELAY > 30)::int as y
       from frozen join flights on FL_DATE = flight_date and OP_UNIQUE_CARRIER = carrier
         and flights.ORIGIN = frozen.origin and flights.DEST = frozen.dest
         and CRS_DEP_TIME::int // 100 = crs_dep_hour
       where horizon_days = 1)`,
  );
  t.is(byHand?.['flights'], 18);
  for (const name of ['forecast', 'actual', 'brier', 'log_loss'] as const) {
    t.true(Math.abs((one?.[name] ?? 9) - (byHand?.[name] ?? 0)) < 1e-12, name);
  }
  t.is((await runs()).filter(({ step }) => step === 'record').length, 4);
  await steps.dropMonth({ tree: 'flights', month: '2018-07' }, silent);
  await nextNight();
  t.deepEqual((await readForecastRecord(redis))?.rows, [], 'a dropped month scores nothing');
});

test('without a store nothing is frozen', async (t) => {
  const { night, redis, paths } = await aService(t);
  await redis.flushall();
  t.regex((await night()).summary, /^no forecasts frozen, because no store is published/);
  t.deepEqual(await listForecastFiles(paths.lakeDir), []);
});
