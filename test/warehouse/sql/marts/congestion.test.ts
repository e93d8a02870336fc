import test from 'ava';
import { anAirportHour, buildWarehouseUpTo } from '../../../helpers/warehouse.ts';

const builtWith = buildWarehouseUpTo('marts/airport_day_congestion');

const WEEK = [1, 2, 3, 4, 5, 6, 7];

test('utilisation is the departures and arrivals of an hour relative to the busiest hour of the airport', async (t) => {
  const db = await builtWith(t, {
    airportHours: [
      anAirportHour({ local_hour: 8, crs_dep_count: 31 * 60, crs_arr_count: 31 * 40 }),
      anAirportHour({ local_hour: 9, crs_dep_count: 31 * 20, crs_arr_count: 31 * 30 }),
    ],
  });
  const hour = { airport: 'JFK', month_of_year: 7, weekday: 5 };
  t.deepEqual(
    await db.rows(
      'select * from marts.airport_hour_congestion where weekday = 5 order by local_hour',
    ),
    [
      { ...hour, local_hour: 8, daily_movements: 100, utilisation: 1, congestion: 1 },
      { ...hour, local_hour: 9, daily_movements: 50, utilisation: 0.5, congestion: 0.5 },
    ],
  );
  // (100 * 1 + 50 * 0.5) / 150
  t.deepEqual(
    await db.rows('select * from marts.airport_day_congestion order by weekday'),
    WEEK.map((weekday) => ({
      airport: 'JFK',
      month_of_year: 7,
      weekday,
      congestion: 0.833333,
      daily_movements: 150,
    })),
  );
});

test('unknown arrivals count as many as the departures', async (t) => {
  const rows = async (arrivals: (number | null)[]) => {
    const db = await builtWith(t, {
      airportHours: arrivals.map((crs_arr_count, index) =>
        anAirportHour({ local_hour: 8 + index, crs_dep_count: 310, crs_arr_count }),
      ),
    });
    return db.rows(
      'select distinct local_hour, daily_movements from marts.airport_hour_congestion order by all',
    );
  };
  t.deepEqual(await rows([null, null]), [
    { local_hour: 8, daily_movements: 20 },
    { local_hour: 9, daily_movements: 20 },
  ]);
  t.deepEqual(await rows([62, 31]), [
    { local_hour: 8, daily_movements: 20 },
    { local_hour: 9, daily_movements: 20 },
  ]);
  t.deepEqual(await rows([310, 31]), [
    { local_hour: 8, daily_movements: 20 },
    { local_hour: 9, daily_movements: 11 },
  ]);
});

test('a month with under half the departures of the same month of an earlier year is left out', async (t) => {
  const loads = async (later: number) => {
    const db = await builtWith(t, {
      airportHours: [
        anAirportHour({ month: '2018-07-01', crs_dep_count: 31 * 10 }),
        anAirportHour({ month: '2019-07-01', crs_dep_count: later }),
        // A quiet month elsewhere in the year has no influence.
        anAirportHour({ month: '2018-01-01', crs_dep_count: 31 }),
      ],
    });
    return db.rows(
      `select distinct month_of_year, daily_movements > 15 as is_busy
       from marts.airport_hour_congestion order by all`,
    );
  };
  const [january, july] = [
    { month_of_year: 1, is_busy: false },
    { month_of_year: 7, is_busy: true },
  ];
  t.deepEqual(await loads(31 * 4), [january, july]);
  // Both years count. Arrivals equal departures, so there are 2 x 7.1 movements a day, between the values of the two
  // years.
  t.deepEqual(await loads(31 * 5), [january, { ...july, is_busy: false }]);
});

test('an airport with arrivals only has no congestion', async (t) => {
  const db = await builtWith(t, {
    airportHours: [anAirportHour({ crs_dep_count: 0, crs_arr_count: 31 })],
  });
  t.deepEqual(await db.rows('select * from marts.airport_hour_congestion'), []);
  t.deepEqual(await db.rows('select * from marts.airport_day_congestion'), []);
});

test('a weekday without movements has no congestion row, and no NaN', async (t) => {
  const db = await builtWith(t, {
    airportHours: [
      anAirportHour({ weekday: 5, crs_dep_count: 40 }),
      anAirportHour({ weekday: 6, crs_dep_count: 0, crs_arr_count: 0 }),
    ],
  });
  t.deepEqual(await db.rows('select weekday, congestion from marts.airport_day_congestion'), [
    { weekday: 5, congestion: 1 },
  ]);
});

test('each weekday has its own load', async (t) => {
  const db = await builtWith(t, {
    airportHours: [
      anAirportHour({ weekday: 5, crs_dep_count: 40 }),
      anAirportHour({ weekday: 6, crs_dep_count: 10 }),
    ],
  });
  // Days are counted from flights with dates. The helper has no dates, so July 2018 counts as four days of each
  // weekday.
  t.deepEqual(await db.rows('select * from marts.airport_day_congestion order by weekday'), [
    { airport: 'JFK', month_of_year: 7, weekday: 5, congestion: 1, daily_movements: 20 },
    { airport: 'JFK', month_of_year: 7, weekday: 6, congestion: 0.25, daily_movements: 5 },
  ]);
});

test('a dated month is averaged over the days of its source, per weekday', async (t) => {
  const db = await builtWith(t, {
    airportHours: [anAirportHour({ weekday: 5, crs_dep_count: 40 })],
    loadedDays: [
      ['2018-07-06', 'JFK', 20, 0],
      ['2018-07-13', 'JFK', 20, 0],
    ],
  });
  t.deepEqual(await db.rows('select daily_movements from marts.airport_day_congestion'), [
    { daily_movements: 40 },
  ]);
});

test('a month without dates has the usual traffic of each weekday', async (t) => {
  const db = await builtWith(t, {
    airportHours: [anAirportHour({ crs_dep_count: 31 * 5, crs_arr_count: 31 * 5 })],
    airportDays: [
      ['2017-07-07', 'LAX', 120, 0],
      ['2017-07-08', 'LAX', 80, 0],
    ],
  });
  t.deepEqual(await db.rows('select * from marts.airport_day_congestion order by weekday'), [
    { airport: 'JFK', month_of_year: 7, weekday: 1, congestion: 0.833333, daily_movements: 10 },
    { airport: 'JFK', month_of_year: 7, weekday: 2, congestion: 0.833333, daily_movements: 10 },
    { airport: 'JFK', month_of_year: 7, weekday: 3, congestion: 0.833333, daily_movements: 10 },
    { airport: 'JFK', month_of_year: 7, weekday: 4, congestion: 0.833333, daily_movements: 10 },
    { airport: 'JFK', month_of_year: 7, weekday: 5, congestion: 1, daily_movements: 12 },
    { airport: 'JFK', month_of_year: 7, weekday: 6, congestion: 0.666667, daily_movements: 8 },
    { airport: 'JFK', month_of_year: 7, weekday: 7, congestion: 0.833333, daily_movements: 10 },
  ]);
});

test('recent years weigh more in the load of a month', async (t) => {
  const db = await builtWith(t, {
    airportHours: [
      anAirportHour({ month: '2016-07-01', crs_dep_count: 31 * 10 }),
      anAirportHour({ month: '2018-07-01', crs_dep_count: 31 * 40 }),
    ],
  });
  // The half-life is two years: (0.5 * 20 + 1 * 80) / 1.5.
  t.deepEqual(await db.rows('select distinct daily_movements from marts.airport_day_congestion'), [
    { daily_movements: 60 },
  ]);
});

test('a class of airports is congested if delay grows with load, and less congested if delay grows less', async (t) => {
  const hours = (airport: string, scale: number, delayed: [number, number, number, number]) =>
    [
      { month: '2018-06-01', local_hour: 8, crs_dep_count: 30 * scale },
      { month: '2018-06-01', local_hour: 9, crs_dep_count: 30 * scale },
      { month: '2018-07-01', local_hour: 8, crs_dep_count: 62 * scale },
      { month: '2018-07-01', local_hour: 9, crs_dep_count: 31 * scale },
    ].map((row, index) =>
      anAirportHour({
        ...row,
        airport,
        completed_count: 100_000,
        delayed_count: delayed[index] ?? 0,
      }),
    );
  const db = await builtWith(t, {
    airportHours: [
      ...hours('ATL', 20, [10_000, 10_000, 20_000, 10_000]),
      ...hours('OMA', 3, [10_000, 10_000, 12_000, 10_000]),
    ],
  });
  // The odds ratios are 2.25 and 1.23 for half the load, after one step of the regression. For the whole load, 2 *
  // ln(2.25) is 1.62.
  t.deepEqual(
    await db.rows(
      'select size_class, round(slope, 2) as slope, round(growth, 2) as growth from intermediate.int_load_growth',
    ),
    [
      { size_class: 'large', slope: 1.43, growth: 1 },
      { size_class: 'medium', slope: 0.38, growth: 0.26 },
    ],
  );
  t.deepEqual(
    await db.rows(
      `select airport, local_hour, utilisation, round(congestion, 2) as congestion
       from marts.airport_hour_congestion where month_of_year = 7 and weekday = 1 order by all`,
    ),
    [
      { airport: 'ATL', local_hour: 8, utilisation: 1, congestion: 1 },
      { airport: 'ATL', local_hour: 9, utilisation: 0.5, congestion: 0.5 },
      { airport: 'OMA', local_hour: 8, utilisation: 1, congestion: 0.26 },
      { airport: 'OMA', local_hour: 9, utilisation: 0.5, congestion: 0.13 },
    ],
  );
});

test('no hour is congested if delay falls with load everywhere', async (t) => {
  const rows = [
    { month: '2018-06-01', local_hour: 8, crs_dep_count: 300, delayed_count: 20_000 },
    { month: '2018-06-01', local_hour: 9, crs_dep_count: 300, delayed_count: 10_000 },
    { month: '2018-07-01', local_hour: 8, crs_dep_count: 620, delayed_count: 10_000 },
    { month: '2018-07-01', local_hour: 9, crs_dep_count: 310, delayed_count: 10_000 },
  ];
  const db = await builtWith(t, {
    airportHours: rows.map((row) => anAirportHour({ ...row, completed_count: 100_000 })),
  });
  t.deepEqual(await db.rows('select distinct congestion from marts.airport_hour_congestion'), [
    { congestion: 0 },
  ]);
});
