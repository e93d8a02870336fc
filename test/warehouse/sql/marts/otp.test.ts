import test from 'ava';
import { aRouteHour, builtWith } from '../../../helpers/warehouse.ts';

test('an airline-route adds up its months and hours', async (t) => {
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

test('a route holds the flights of all its carriers, each direction apart', async (t) => {
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

test('the prior is worth more flights when airline-routes differ less', async (t) => {
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
  const alike = await priorFlights([28, 32, 30, 31, 29]);
  const apart = await priorFlights([5, 55, 10, 50, 20]);
  t.true(alike > 10 * apart);
});

test('a group with no completed flight takes the rate of the network', async (t) => {
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
