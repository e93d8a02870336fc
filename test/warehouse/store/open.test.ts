import test from 'ava';
import { anAirportHour, aRouteHour, buildWarehouse } from '../../helpers/warehouse.ts';
import { exportStore } from '../../../warehouse/store/export.ts';
import { equalHours, someStoreFiles, storeFilesOf } from '../../helpers/store-files.ts';
import { decodeTable, encodeTable } from '../../../warehouse/store/arrow.ts';
import { openStore, openStoreInSlices } from '../../../warehouse/store/open.ts';
import { parseManifest } from '../../../warehouse/store/manifest.ts';
import { epochDay } from '../../../warehouse/ground/dates.ts';
import { CorruptFileError } from '../../../warehouse/errors.ts';

test('a store returns the counts of the marts by key', async (t) => {
  const store = openStore(await someStoreFiles());
  t.like(store.routeCarrier('JFK', 'LAX', 'DL'), {
    flightCount: 100,
    completedCount: 98,
    delayedCount: 10,
    cancelledCount: 2,
    delayedMinSum: 400,
  });
  t.like(store.route('JFK', 'LAX'), { flightCount: 150, delayedCount: 15 });
  t.deepEqual(
    store.carriersOnRoute('JFK', 'LAX').map(({ carrier, flightCount }) => [carrier, flightCount]),
    [
      ['AA', 50],
      ['DL', 100],
    ],
  );
  t.deepEqual(store.airline('DL'), {
    iata: 'DL',
    name: 'Delta Air Lines',
    country: 'United States',
  });
  t.is(store.airport('JFK')?.timeZone, 'America/New_York');
  t.deepEqual(store.manifest.months, ['2018-07']);
});

test('a store opened in slices lets other work run between its tables, and has the same content', async (t) => {
  const files = await someStoreFiles();
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const store = await openStoreInSlices(files, 0);
  clearImmediate(counting);
  t.true(turns >= 5, `${turns} turns`);
  t.deepEqual(store.route('JFK', 'LAX'), openStore(files).route('JFK', 'LAX'));
  await t.throwsAsync(openStoreInSlices({ ...files, files: new Map() }), {
    instanceOf: CorruptFileError,
  });
});

test('the numbers of a column do not keep the file in memory', (t) => {
  const file = encodeTable([{ value: 1.5 }], { value: 'number' });
  const numbers = decodeTable(file, { value: 'number' }).numbers('value');
  t.deepEqual([...numbers], [1.5]);
  t.not(numbers.buffer, file.buffer);
});

test('an unknown key is undefined, and unknown odds are average', async (t) => {
  const store = openStore(await someStoreFiles());
  t.is(store.routeCarrier('JFK', 'LAX', 'UA'), undefined);
  t.is(store.route('LAX', 'JFK'), undefined);
  t.deepEqual(store.carriersOnRoute('LAX', 'JFK'), []);
  t.is(store.airport('ZZZ'), undefined);
  t.is(store.congestion('JFK', 1, 5), undefined);
  t.is(store.monthOdds(1), 1);
  t.is(store.holidayDay('US', '2026-12-25'), undefined);
  t.is(store.groupRates('origin', 'LAX'), undefined);
});

test('the effect of a holiday is known only in its country and on its days', (t) => {
  const day = epochDay('2026-12-25');
  const holiday_days = [
    { country_code: 'US', epoch_day: day, name: 'Christmas Day', log_odds: -0.5 },
    { country_code: 'US', epoch_day: day + 2, name: '', log_odds: 0.25 },
  ];
  const { holidayDay } = openStore(storeFilesOf({ holiday_days }));
  t.deepEqual(holidayDay('US', '2026-12-25'), { name: 'Christmas Day', logOdds: -0.5 });
  t.deepEqual(holidayDay('US', '2026-12-27'), { logOdds: 0.25 });
  t.is(holidayDay('US', '2026-12-24'), undefined);
  t.is(holidayDay('US', '2026-12-26'), undefined);
  t.is(holidayDay('US', '2026-12-28'), undefined);
  t.is(holidayDay('DE', '2026-12-25'), undefined);
});

test('a territory without evidence has the holidays of its country', (t) => {
  const day = epochDay('2026-12-25');
  const christmas = (country_code: string, log_odds: number) => ({
    ...{ country_code, epoch_day: day, name: 'Christmas Day', log_odds },
  });
  const { holidayDay } = openStore(
    storeFilesOf({ holiday_days: [christmas('GU', 0.25), christmas('US', -0.5)] }),
  );
  t.is(holidayDay('PR', '2026-12-25')?.logOdds, -0.5);
  t.is(holidayDay('VI', '2026-12-25')?.logOdds, -0.5);
  t.is(holidayDay('GU', '2026-12-25')?.logOdds, 0.25);
});

test('the same history gives the same bytes', async (t) => {
  const [one, other] = [await someStoreFiles(), await someStoreFiles()];
  t.deepEqual(one, other);
});

test('one flipped bit anywhere in a store is detected', async (t) => {
  const { manifest, files } = await someStoreFiles();
  const text = JSON.stringify(manifest);
  for (const [name, bytes] of files) {
    for (let place = 0; place < bytes.length; place += 37) {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] ?? 0) ^ (1 << (place % 8));
      t.throws(() => openStore({ manifest, files: new Map(files).set(name, damaged) }), {
        instanceOf: CorruptFileError,
      });
    }
  }
  for (let place = 0; place < text.length; place++) {
    const damaged = Buffer.from(text);
    damaged[place] = (damaged[place] ?? 0) ^ 1;
    t.throws(() => parseManifest(damaged.toString()), { instanceOf: CorruptFileError });
  }
});

test('ASCII and other text in one column is decoded correctly', (t) => {
  const rows = [
    { iata: 'AA', name: 'Aérolíneas 航空 ✈️', country: '' },
    { iata: 'BB', name: '', country: 'Côte d’Ivoire' },
    { iata: 'CC', name: 'Plain', country: 'Chile' },
  ];
  const columns = { iata: 'text', name: 'text', country: 'text' } as const;
  t.deepEqual(decodeTable(encodeTable(rows, columns), columns).text('iata'), ['AA', 'BB', 'CC']);
  for (const column of ['name', 'country'] as const) {
    const read = decodeTable(encodeTable(rows, columns), columns).text(column);
    t.deepEqual(
      read,
      rows.map((row) => row[column]),
    );
  }
});

test('congestion is known only for stored airports and days', (t) => {
  const day = { airport: 'JFK', month_of_year: 12, weekday: 7, congestion: 0, ...equalHours(0) };
  const { congestion } = openStore(storeFilesOf({ congestion: [day] }));
  t.is(congestion('JFK', 12, 7), 0);
  t.is(congestion('JFK', 12, 6), undefined);
  t.is(congestion('LAX', 12, 7), undefined);
});

test('a store without one of its tables is refused', async (t) => {
  const { manifest, files } = await someStoreFiles();
  files.delete('routes.arrow');
  t.throws(() => openStore({ manifest, files }), { message: /^routes\.arrow: missing from / });
});

test('each hour has its congestion and departures; the departures of a route include all its carriers', async (t) => {
  const db = await buildWarehouse(t, {
    routeHours: [
      aRouteHour({ origin: 'BOS', dest: 'JFK', crs_dep_hour: 6, flight_count: 3 }),
      aRouteHour({ origin: 'BOS', dest: 'JFK', carrier: 'UA', crs_dep_hour: 6, flight_count: 4 }),
      aRouteHour({ dest: 'SFO', carrier: 'UA', crs_dep_hour: 9, flight_count: 20 }),
      aRouteHour({ crs_dep_hour: 8, flight_count: 30 }),
      aRouteHour({ crs_dep_hour: 17, flight_count: 10 }),
      aRouteHour({ carrier: 'AA', crs_dep_hour: 17, flight_count: 5 }),
      aRouteHour({ carrier: 'AA', crs_dep_hour: null, flight_count: 7 }),
      aRouteHour({ carrier: 'B6', crs_dep_hour: null, flight_count: 7 }),
    ],
    airportHours: [
      anAirportHour({ local_hour: 8, crs_dep_count: 31 * 50 }),
      anAirportHour({ local_hour: 17, crs_dep_count: 31 * 25 }),
    ],
  });
  const store = openStore(await exportStore(db, new Date('2026-11-01T02:30:00Z')));
  t.deepEqual(
    [...store.airlineRoutes()].map(({ origin, dest, carrier }) => `${origin}-${dest}-${carrier}`),
    ['BOS-JFK-DL', 'BOS-JFK-UA', 'JFK-LAX-AA', 'JFK-LAX-B6', 'JFK-LAX-DL', 'JFK-SFO-UA'],
  );
  const carriersTo = (dest: string) =>
    store.carriersOnRoute('JFK', dest).map(({ carrier, flightCount }) => [carrier, flightCount]);
  t.deepEqual(carriersTo('LAX'), [
    ['AA', 12],
    ['B6', 7],
    ['DL', 40],
  ]);
  t.deepEqual(carriersTo('SFO'), [['UA', 20]]);
  t.deepEqual(carriersTo('BOS'), []);
  t.is(store.routeCarrier('JFK', 'LAX', 'UA'), undefined);
  t.is(store.departureHours('BOS', 'JFK')?.[6], 7);
  t.is(store.departureHours('JFK', 'SFO', 'UA')?.[9], 20);
  const perHour = (at8: number, at17: number) =>
    Array.from({ length: 24 }, (_, hour) => ({ 8: at8, 17: at17 })[hour] ?? 0);
  const departures = (carrier?: string) => {
    const hours = store.departureHours('JFK', 'LAX', carrier);
    return hours && [...hours];
  };
  t.deepEqual(departures('DL'), perHour(30, 10));
  t.deepEqual(departures('AA'), perHour(0, 5));
  t.is(departures('B6'), undefined);
  t.deepEqual(departures(), perHour(30, 15));
  t.is(store.departureHours('LAX', 'JFK'), undefined);
  t.deepEqual([...(store.congestionByHour('JFK', 7, 5) ?? [])], perHour(1, 0.5));
  t.is(store.congestionByHour('JFK', 8, 5), undefined);
});
