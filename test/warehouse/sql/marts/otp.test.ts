import test from 'ava';
import { aRouteHour, buildWarehouseUpTo } from '../../../helpers/warehouse.ts';

const builtWith = buildWarehouseUpTo('marts/route_carrier_otp');

test('an airline-route sums its months and hours', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ flight_count: 10, delayed_count: 3, cancelled_count: 1, delayed_min_sum: 120 }),
      aRouteHour({ month: '2018-08-01', flight_count: 20, delayed_count: 2, diverted_count: 1 }),
      aRouteHour({ crs_dep_hour: 9, flight_count: 5 }),
      aRouteHour({ carrier: 'AA', flight_count: 7 }),
    ],
  });
  const rows = await db.rows(
    `select carrier, flight_count, completed_count, delayed_count, cancelled_count, delayed_min_sum
     from marts.route_carrier_otp order by carrier`,
  );
  t.deepEqual(rows, [
    {
      carrier: 'AA',
      flight_count: 7,
      completed_count: 7,
      delayed_count: 0,
      cancelled_count: 0,
      delayed_min_sum: 0,
    },
    {
      carrier: 'DL',
      flight_count: 35,
      completed_count: 33,
      delayed_count: 5,
      cancelled_count: 1,
      delayed_min_sum: 200,
    },
  ]);
});

test('a route sums the flights of all its carriers, separately for each direction', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ flight_count: 10, delayed_count: 3 }),
      aRouteHour({ carrier: 'AA', flight_count: 7, delayed_count: 1 }),
      aRouteHour({ origin: 'LAX', dest: 'JFK', flight_count: 4 }),
    ],
  });
  const rows = await db.rows(
    'select origin, dest, flight_count, delayed_count from marts.route_otp order by origin',
  );
  t.deepEqual(rows, [
    { origin: 'JFK', dest: 'LAX', flight_count: 17, delayed_count: 4 },
    { origin: 'LAX', dest: 'JFK', flight_count: 4, delayed_count: 0 },
  ]);
});

test('the fewer flights an airline-route has, the closer its rate is to its route', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ carrier: 'AA', flight_count: 1000, delayed_count: 100 }),
      aRouteHour({ carrier: 'DL', flight_count: 1000, delayed_count: 300 }),
      aRouteHour({ carrier: 'B6', flight_count: 4, delayed_count: 4 }),
    ],
  });
  const rows = await db.rows<{ carrier: string; delayed_rate: number }>(
    'select carrier, delayed_rate from marts.route_carrier_otp order by carrier',
  );
  const rate = Object.fromEntries(rows.map((row) => [row.carrier, row.delayed_rate]));
  t.true(Math.abs((rate.AA ?? 0) - 0.1) < 0.01);
  t.true(Math.abs((rate.DL ?? 0) - 0.3) < 0.01);
  t.true((rate.B6 ?? 0) > 0.2 && (rate.B6 ?? 0) < 0.9);
});

test('the prior is worth more flights if airline-routes differ less', async (t) => {
  const priorFlights = async (delayed: number[]) => {
    const db = await builtWith(t, {
      routeHours: delayed.flatMap((delayed_count, index) => [
        aRouteHour({ carrier: 'AA', dest: `X${index}`, flight_count: 200, delayed_count }),
        aRouteHour({
          carrier: 'DL',
          dest: `X${index}`,
          flight_count: 200,
          delayed_count: 60 - delayed_count,
        }),
      ]),
    });
    const [row] = await db.rows<{ prior_flights: number }>(
      'select prior_flights from marts.network',
    );
    return row?.prior_flights ?? 0;
  };
  const similarRoutes = await priorFlights([28, 32, 30, 31, 29]);
  const differentRoutes = await priorFlights([5, 55, 10, 50, 20]);
  t.true(similarRoutes > 10 * differentRoutes);
});

test('a group without completed flights gets the rate of the network', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ flight_count: 99, delayed_count: 9 }),
      aRouteHour({ carrier: 'AA', flight_count: 5, cancelled_count: 5 }),
    ],
  });
  const rows = await db.rows(
    `select round(delayed_rate, 6) as rate from marts.group_rates where kind = 'carrier' and code = 'AA'`,
  );
  t.deepEqual(rows, [{ rate: 0.095 }]);
});

test('months without flights leave every mart empty or a single row', async (t) => {
  const db = await builtWith(t);
  t.deepEqual(await db.rows('select * from marts.route_carrier_otp'), []);
  t.deepEqual(await db.rows('select flight_count, first_month from marts.network'), [
    { flight_count: null, first_month: null },
  ]);
});

const TWO_CARRIERS = [
  aRouteHour({ flight_count: 210, delayed_count: 40, cancelled_count: 10 }),
  aRouteHour({ carrier: 'AA', flight_count: 100, delayed_count: 10 }),
  aRouteHour({ origin: 'LAX', dest: 'JFK', flight_count: 300, delayed_count: 30 }),
];

const ROUNDED =
  'replace (round(delayed_rate, 4) as delayed_rate, round(cancelled_rate, 4) as cancelled_rate)';

const ROUNDED_NETWORK = `replace (
  round(delayed_rate, 4) as delayed_rate, round(cancelled_rate, 4) as cancelled_rate,
  round(prior_flights, 1) as prior_flights, round(cancelled_prior_flights, 1) as cancelled_prior_flights)`;

test('the rates of origins, destinations and carriers are shrunk toward the network', async (t) => {
  const db = await builtWith(t, { routeHours: TWO_CARRIERS });
  t.deepEqual(await db.rows(`select * ${ROUNDED} from marts.group_rates order by kind, code`), [
    { kind: 'carrier', code: 'AA', delayed_rate: 0.1339, cancelled_rate: 0.0172 },
    { kind: 'carrier', code: 'DL', delayed_rate: 0.134, cancelled_rate: 0.0172 },
    { kind: 'dest', code: 'JFK', delayed_rate: 0.1117, cancelled_rate: 0.0037 },
    { kind: 'dest', code: 'LAX', delayed_rate: 0.1554, cancelled_rate: 0.0291 },
    { kind: 'origin', code: 'JFK', delayed_rate: 0.1554, cancelled_rate: 0.0291 },
    { kind: 'origin', code: 'LAX', delayed_rate: 0.1117, cancelled_rate: 0.0037 },
  ]);
});

test('routes and airline-routes have raw counts and shrunk rates', async (t) => {
  const db = await builtWith(t, { routeHours: TWO_CARRIERS });
  t.deepEqual(await db.rows(`select * ${ROUNDED} from marts.route_otp order by origin`), [
    {
      origin: 'JFK',
      dest: 'LAX',
      flight_count: 310,
      completed_count: 300,
      delayed_count: 50,
      cancelled_count: 10,
      delayed_min_sum: 2000,
      delayed_rate: 0.1794,
      cancelled_rate: 0.0413,
    },
    {
      origin: 'LAX',
      dest: 'JFK',
      flight_count: 300,
      completed_count: 300,
      delayed_count: 30,
      cancelled_count: 0,
      delayed_min_sum: 1200,
      delayed_rate: 0.0928,
      cancelled_rate: 0.0004,
    },
  ]);
  t.deepEqual(
    await db.rows(`select * ${ROUNDED} from marts.route_carrier_otp order by origin, carrier`),
    [
      {
        origin: 'JFK',
        dest: 'LAX',
        carrier: 'AA',
        flight_count: 100,
        completed_count: 100,
        delayed_count: 10,
        cancelled_count: 0,
        delayed_min_sum: 400,
        delayed_rate: 0.1525,
        cancelled_rate: 0.0228,
      },
      {
        origin: 'JFK',
        dest: 'LAX',
        carrier: 'DL',
        flight_count: 210,
        completed_count: 200,
        delayed_count: 40,
        cancelled_count: 10,
        delayed_min_sum: 1600,
        delayed_rate: 0.1899,
        cancelled_rate: 0.0453,
      },
      {
        origin: 'LAX',
        dest: 'JFK',
        carrier: 'DL',
        flight_count: 300,
        completed_count: 300,
        delayed_count: 30,
        cancelled_count: 0,
        delayed_min_sum: 1200,
        delayed_rate: 0.0972,
        cancelled_rate: 0.0001,
      },
    ],
  );
});

test('the network is one row: months, flights, rates and prior strengths', async (t) => {
  const db = await builtWith(t, { routeHours: TWO_CARRIERS });
  t.deepEqual(await db.rows(`select * ${ROUNDED_NETWORK} from marts.network`), [
    {
      first_month: '2018-07-01',
      last_month: '2018-07-01',
      month_count: 1,
      flight_count: 610,
      full_hour_log_odds: 0,
      delayed_rate: 0.1339,
      cancelled_rate: 0.0172,
      prior_flights: 195.7,
      cancelled_prior_flights: 123.4,
    },
  ]);
});

test('old flights weigh less in the rates, but not in the counts', async (t) => {
  const db = await builtWith(t, {
    routeHours: [
      aRouteHour({ month: '2016-07-01', flight_count: 2000, delayed_count: 600 }),
      aRouteHour({ month: '2018-07-01', flight_count: 1000, delayed_count: 0 }),
    ],
  });
  t.deepEqual(
    await db.rows(
      `select flight_count, delayed_count, weighted_completed_count::integer as completed,
         weighted_delayed_count::integer as delayed from intermediate.int_route_carrier_counts`,
    ),
    // The half-life is two years.
    [{ flight_count: 3000, delayed_count: 600, completed: 2000, delayed: 300 }],
  );
  t.deepEqual(await db.rows('select round(delayed_rate, 3) as rate from marts.network'), [
    { rate: 0.15 },
  ]);
});

test('a month two years older has half the weight', async (t) => {
  const db = await builtWith(t, {
    routeHours: ['2016-07-01', '2018-06-01', '2018-07-01'].map((month) => aRouteHour({ month })),
  });
  t.deepEqual(
    await db.rows('select month, weight::double as weight from intermediate.int_month_weights'),
    [
      { month: '2016-07-01', weight: 0.5 },
      { month: '2018-06-01', weight: 0.971532 },
      { month: '2018-07-01', weight: 1 },
    ],
  );
});
