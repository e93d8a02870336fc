import test, { type ExecutionContext } from 'ava';
import { HAZARDS, TYPICAL_RISK, weatherRisk } from '../../../../models/weather-risk.ts';
import { buildModel } from '../../../../warehouse/build/build.ts';
import { openDatabase } from '../../../../warehouse/connect.ts';
import { migrate } from '../../../../warehouse/build/migrate.ts';
import { encodeTable, decodeTable } from '../../../../warehouse/store/arrow.ts';
import { climatologyReader } from '../../../../warehouse/store/climatology.ts';
import { STORE_TABLES } from '../../../../warehouse/store/tables.ts';
import { loadWeatherHazards } from '../../../../warehouse/reference/load.ts';

type Day = [source: string, airport: string, date: string, wind: number | null, mm: number | null];

async function climatologyOf(t: ExecutionContext, days: Day[]) {
  const db = await openDatabase();
  t.teardown(() => db.close());
  await migrate(db);
  await loadWeatherHazards(db);
  for (const [source, airport, date, wind, mm] of days) {
    await db.run(
      `insert into raw.airport_weather_days (source, airport, weather_date, wind_max_kmh, precip_max_mm)
       values ($source, $airport, $date::date, $wind, $mm)`,
      { source, airport, date, wind, mm },
    );
  }
  await buildModel(db, 'marts/airport_climatology');
  return db;
}

async function climatology(t: ExecutionContext, days: Day[]) {
  const db = await climatologyOf(t, days);
  const { query, columns } = STORE_TABLES.climatology;
  return climatologyReader(decodeTable(encodeTable(await db.rows(query), columns), columns));
}

test('an airport has a row for each month of the year with measurements', async (t) => {
  const db = await climatologyOf(t, [
    ['archive', 'LAX', '2018-07-01', 0, 0],
    ['archive', 'JFK', '2017-12-01', 0, 0],
    ['archive', 'JFK', '2018-12-02', 15, 0.5],
  ]);
  const calm = { temp_mean_c: null, snowfall_cm: null, visibility_min_m: null };
  const risk = Number(weatherRisk({ windMaxKmh: 0, precipMaxMm: 0 }).toFixed(3));
  const rows = await db.rows<{ risk: number }>(
    'select * replace (round(risk, 3) as risk) from marts.airport_climatology',
  );
  const december = (risk + weatherRisk({ windMaxKmh: 15, precipMaxMm: 0.5 })) / 2;
  t.true(Math.abs((rows[0]?.risk ?? 0) - december) < 0.002);
  t.deepEqual(rows, [
    {
      ...{ airport: 'JFK', month_of_year: 12, day_count: 2, ...calm },
      ...{ wind_max_kmh: 7.5, precip_max_mm: 0.25, risk: rows[0]?.risk },
    },
    {
      ...{ airport: 'LAX', month_of_year: 7, day_count: 1, ...calm },
      ...{ wind_max_kmh: 0, precip_max_mm: 0, risk },
    },
  ]);
});

test('a month has the mean weather and the mean risk of its days over all years', async (t) => {
  const typical = await climatology(t, [
    ['archive', 'JFK', '2017-12-01', 0, 0],
    ['archive', 'JFK', '2018-12-02', 80, 1],
    ['archive', 'JFK', '2018-11-30', 10, 0],
  ]);
  const december = typical('JFK', 12);
  t.like(december, { windMaxKmh: 40, precipMaxMm: 0.5 });
  const risks = [
    weatherRisk({ windMaxKmh: 0, precipMaxMm: 0 }),
    weatherRisk({ windMaxKmh: 80, precipMaxMm: 1 }),
  ];
  const mean = ((risks[0] ?? 0) + (risks[1] ?? 0)) / 2;
  t.true(Math.abs((december?.risk ?? 0) - mean) < 1e-6);
  t.not(
    Math.round(1e6 * mean),
    Math.round(1e6 * weatherRisk({ windMaxKmh: 40, precipMaxMm: 0.5 })),
  );
  t.is(typical('JFK', 1), undefined);
  t.is(typical('LAX', 12), undefined);
});

test('a reading missing on most days of a month has no mean', async (t) => {
  const typical = await climatology(t, [
    ['archive', 'JFK', '2017-12-01', 10, 5],
    ['archive', 'JFK', '2017-12-02', 20, null],
    ['archive', 'JFK', '2017-12-03', null, null],
  ]);
  t.is(typical('JFK', 12)?.windMaxKmh, 15);
  t.is(typical('JFK', 12)?.precipMaxMm, undefined);
});

test('a reading that was never measured is null, and its hazard counts as on a typical day', async (t) => {
  const typical = await climatology(t, [['archive', 'JFK', '2017-12-01', null, null]]);
  const december = typical('JFK', 12);
  t.deepEqual(Object.keys(december ?? {}), ['risk']);
  t.true(Math.abs((december?.risk ?? 0) - TYPICAL_RISK) < 1e-6);
});

test('an observation takes precedence over the archive for the same day', async (t) => {
  const typical = await climatology(t, [
    ['archive', 'JFK', '2017-12-01', 90, 0],
    ['nyc_2017_hourly.csv.gz', 'JFK', '2017-12-01', 20, 0],
  ]);
  t.is(typical('JFK', 12)?.windMaxKmh, 20);
});

test('the warehouse has every hazard of the model', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());
  await migrate(db);
  await loadWeatherHazards(db);
  await loadWeatherHazards(db);
  const rows = await db.rows<{ hazard: string }>('select hazard from reference.weather_hazards');
  t.deepEqual(
    rows.map(({ hazard }) => hazard).toSorted(),
    HAZARDS.map(({ hazard }) => hazard).toSorted(),
  );
});
