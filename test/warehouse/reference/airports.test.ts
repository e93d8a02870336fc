import path from 'node:path';
import test from 'ava';

import { openDatabase } from '../../../warehouse/connect.ts';
import { AIRPORT_TABLE, writeAirportTable } from '../../../warehouse/reference/airport-table.ts';
import { readAirports } from '../../../warehouse/reference/airports.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { btsAirportCodes } from './bts-airport-codes.ts';

const airports = await readAirports();
const byCode = new Map(airports.map((airport) => [airport.iata, airport]));

const isZone = (timeZone: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
};

test('every airport of the flight files has a city and a time zone', (t) => {
  t.is(btsAirportCodes.length, 386);
  const incomplete = btsAirportCodes.filter((code) => {
    const airport = byCode.get(code);
    return airport === undefined || airport.city === '' || airport.timeZone === '';
  });
  t.deepEqual(incomplete, []);
});

test('a row has the name, place and time zone of an airport', (t) => {
  t.deepEqual(byCode.get('JFK'), {
    iata: 'JFK',
    name: 'John F. Kennedy International Airport',
    city: 'New York',
    country: 'United States',
    countryCode: 'US',
    timeZone: 'America/New_York',
    latitude: 40.642335,
    longitude: -73.78817,
  });
  t.deepEqual(byCode.get('LHR'), {
    iata: 'LHR',
    name: 'London Heathrow Airport',
    city: 'London',
    country: 'United Kingdom',
    countryCode: 'GB',
    timeZone: 'Europe/London',
    latitude: 51.469603,
    longitude: -0.453566,
  });
  t.deepEqual(byCode.get('NRT'), {
    iata: 'NRT',
    name: 'Narita International Airport',
    city: 'Tokyo',
    country: 'Japan',
    countryCode: 'JP',
    timeZone: 'Asia/Tokyo',
    latitude: 35.773213,
    longitude: 140.387443,
  });
  t.deepEqual(byCode.get('HNL'), {
    iata: 'HNL',
    name: 'Daniel K. Inouye International Airport',
    city: 'Honolulu',
    country: 'United States',
    countryCode: 'US',
    timeZone: 'Pacific/Honolulu',
    latitude: 21.325833,
    longitude: -157.921667,
  });
  t.deepEqual(byCode.get('PHX'), {
    iata: 'PHX',
    name: 'Phoenix Sky Harbor International Airport',
    city: 'Phoenix',
    country: 'United States',
    countryCode: 'US',
    timeZone: 'America/Phoenix',
    latitude: 33.435036,
    longitude: -112.000164,
  });
});

test('airports are in code order and no two share a code', (t) => {
  const codes = airports.map(({ iata }) => iata);
  t.deepEqual(codes, [...new Set(codes)].toSorted());
  t.true(codes.length > 10_000);
});

test('every airport has a name, a country, a position and a time zone supported by the runtime', (t) => {
  const broken = airports.filter(
    ({ iata, name, country, countryCode, timeZone, latitude, longitude }) =>
      !/^[A-Z]{3}$/.test(iata) ||
      !/^[A-Z]{2}$/.test(countryCode) ||
      name === '' ||
      country === '' ||
      !isZone(timeZone) ||
      !(Math.abs(latitude) <= 90) ||
      !(Math.abs(longitude) <= 180),
  );
  t.deepEqual(broken, []);
});

test('an airport of a metropolis is in its own city', (t) => {
  t.is(byCode.get('EWR')?.city, 'Newark');
  t.is(byCode.get('BWI')?.city, 'Baltimore');
  t.is(byCode.get('ONT')?.city, 'Ontario');
  t.is(byCode.get('SFB')?.city, 'Sanford');
  t.is(byCode.get('YHM')?.city, 'Hamilton');
  t.is(byCode.get('GNB')?.city, 'Grenoble');
});

test('closed and renamed airports keep their old codes', (t) => {
  t.is(byCode.get('ISN')?.city, 'Williston');
  t.is(byCode.get('EAR')?.city, 'Kearney');
  t.is(byCode.get('IFP')?.city, 'Bullhead City');
  t.is(byCode.get('BRW')?.city, 'Utqiagvik');
});

test('wrong time zones of the source are corrected', (t) => {
  t.is(byCode.get('PSC')?.timeZone, 'America/Los_Angeles');
  t.is(byCode.get('IFP')?.timeZone, 'America/Phoenix');
  t.is(byCode.get('MLG')?.timeZone, 'Asia/Jakarta');
  t.is(byCode.get('BWT')?.timeZone, 'Australia/Hobart');
  t.is(byCode.get('KKM')?.timeZone, 'Asia/Bangkok');
  t.is(byCode.get('AAT')?.timeZone, 'Asia/Shanghai');
});

test('a city is empty if the sources use the code for different airports', (t) => {
  t.is(byCode.get('MUU')?.name, 'Mount Union Airport');
  t.is(byCode.get('MUU')?.city, '');
});

test('an airport at the date line keeps its city on either side of the line', (t) => {
  t.is(byCode.get('TVU')?.city, 'Taveuni');
});

test('city codes are not airports', (t) => {
  t.false(byCode.has('PAR'));
  t.false(byCode.has('BAK'));
});

test('countries have their common names', (t) => {
  t.is(byCode.get('HKG')?.country, 'Hong Kong');
  t.is(byCode.get('PRN')?.country, 'Kosovo');
  t.is(byCode.get('IST')?.country, 'Türkiye');
  t.is(byCode.get('SJU')?.country, 'Puerto Rico');
});

test('the shipped table matches the packages; `make airports` writes it', async (t) => {
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const rows = await db.rows<Record<string, unknown>>('from read_parquet($file)', {
    file: AIRPORT_TABLE,
  });
  const asText = (some: object[]) => some.map((one) => JSON.stringify(Object.values(one)));
  const expected = airports.map((one) => [
    ...[one.iata, one.name, one.city, one.country, one.countryCode, one.timeZone],
    ...[one.latitude, one.longitude],
  ]);
  t.deepEqual(asText(rows), asText(expected));
});

test('a newly written table has the rows of the shipped table', async (t) => {
  const file = path.join(await aFolder(t), 'airports.parquet');
  t.is(await writeAirportTable(file), airports.length);
  const allRows = 'select * from read_parquet($file) order by iata';
  const db = await openDatabase({ threads: 1 });
  t.deepEqual(await db.rows(allRows, { file }), await db.rows(allRows, { file: AIRPORT_TABLE }));
  db.close();
});
