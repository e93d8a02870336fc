import test from 'ava';
import { placesOf } from '../../../api/explorer/endpoints/place-list.ts';
import { readFromDisk, saveToDisk } from '../../../warehouse/store/disk.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { withParts } from '../../../warehouse/store/parts.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { someStoreFiles, storeFilesOf } from '../../helpers/store-files.ts';
import { aPart } from '../../helpers/store-part.ts';

test('a route is answered from the record that has it, otherwise from the American one', async (t) => {
  const store = openStore(withParts(await someStoreFiles(), [aPart('hkia', ['HKG', 'NRT'])]));
  const part = store.forRoute('HKG', 'NRT');
  t.is(part.manifest.provider, 'hkia');
  t.is(part.manifest.attribution, 'by hkia');
  t.is(part.manifest.version, store.manifest.version);
  t.is(part.routeCarrier('HKG', 'NRT', 'CX')?.flightCount, 40);
  t.is(store.routeCarrier('HKG', 'NRT', 'CX'), undefined);
  t.is(store.forRoute('JFK', 'LAX').manifest.provider, 'bts');
  t.is(store.forRoute('LHR', 'CDG').manifest.provider, 'bts');
  // Each of the two stores also has the airlines of the other.
  t.is(store.airline('CX')?.name, 'Cathay Pacific');
  t.is(part.airline('DL')?.name, 'Delta Air Lines');
});

test('a route with two records is answered from one: the larger of two without hours', async (t) => {
  const parts = [
    aPart('caa', ['HKG', 'LHR'], 30),
    aPart('hkia', ['HKG', 'LHR'], 50),
    aPart('own', ['HKG', 'LHR'], 40),
  ];
  const store = openStore(withParts(await someStoreFiles(), parts));
  const answer = store.forRoute('HKG', 'LHR');
  t.is(answer.manifest.provider, 'hkia');
  t.is(answer.route('HKG', 'LHR')?.flightCount, 50);
});

test('a larger record of another provider does not replace an American answer', async (t) => {
  const parts = [aPart('own', ['JFK', 'LAX'], 1_000_000)];
  const store = openStore(withParts(await someStoreFiles(), parts));
  t.is(store.forRoute('JFK', 'LAX').manifest.provider, 'bts');
});

test('airports are listed by their departures in all records; a route counts once', (t) => {
  const parts = [aPart('caa', ['HKG', 'LHR'], 30), aPart('hkia', ['HKG', 'LHR'], 50)];
  const place = { city: 'Hong Kong', name: 'Chek Lap Kok', country: 'Hong Kong' };
  const airports = [
    {
      iata: 'HKG',
      ...place,
      country_code: 'HK',
      latitude: 22.3,
      longitude: 113.9,
      time_zone: 'Asia/Hong_Kong',
    },
  ];
  const places = placesOf(openStore(withParts(storeFilesOf({ airports }), parts)));
  t.is(places.find(({ iata }) => iata === 'HKG')?.flights, 50);
});

test('the American tables are the same bytes with and without other records', async (t) => {
  const home = await someStoreFiles();
  const store = withParts(home, [aPart('hkia', ['HKG', 'NRT'])]);
  t.deepEqual(store.manifest.tables, home.manifest.tables);
  for (const [name, bytes] of home.files) t.is(store.files.get(name), bytes);
  t.is(withParts(home, []).manifest.version, home.manifest.version);
});

test('a store with other records is read from disk as it was saved', async (t) => {
  const folder = await aFolder(t);
  const store = withParts(await someStoreFiles(), [aPart('hkia', ['HKG', 'NRT'])]);
  await saveToDisk(folder, store);
  const read = (await readFromDisk(folder)) as StoreFiles;
  t.deepEqual(read.manifest, store.manifest);
  t.is(openStore(read).forRoute('HKG', 'NRT').manifest.provider, 'hkia');
});

test('each record keeps its own effects of holidays', async (t) => {
  const { manifest } = withParts(await someStoreFiles(), [aPart('hkia', ['HKG', 'NRT'])]);
  t.is(manifest.parts?.[0]?.tables.holiday_days?.file, 'hkia.holiday_days.arrow');
});
