import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { ExtractReport } from '../../../pipelines/flights/types.ts';
import {
  aFile,
  aFlight,
  aParquet,
  extractToLake,
  toCsv,
  REAL_FLIGHTS,
} from '../../helpers/flight-files.ts';

const real = (name: string) => `read_parquet('${path.join(REAL_FLIGHTS, name)}')`;

/** Real rows in the order of the file, for each form whose rows do not identify single flights. */
const UNIDENTIFIED = {
  'airlines by name and day': `select * from ${real('us_2022_02_04_depdelay.parquet')} limit 30000`,
  'month and weekday': `select * from ${real('us_2024-08_2025-04_20hubs.parquet')} limit 30000`,
  'month, airlines by name': `select * from ${real('us_2018_300airports_bymonth.parquet')} limit 30000`,
  'month, airlines by code': `select * from ${real('us_2018_16carriers_bymonth.parquet')} limit 30000`,
} as const;

async function extract(t: ExecutionContext, query: string): Promise<ExtractReport> {
  return (await extractToLake(t, await aParquet(t, query), { year: 2018 })).report;
}

const loadedAndRepeated = ({ rowsLoaded, months }: ExtractReport) => ({
  loaded: rowsLoaded,
  repeated: months.reduce((sum, { rejects }) => sum + (rejects['duplicate_flight'] ?? 0), 0),
});

for (const [form, query] of Object.entries(UNIDENTIFIED)) {
  test(`real rows with ${form} have equal rows, and all of them count`, async (t) => {
    const report = await extract(t, query);
    t.like(report, { rowsRead: 30_000, rowsLoaded: 30_000, rowsRejected: 0 });
  });

  test(`rows with ${form} count once if the file has them twice or three times, in any order`, async (t) => {
    const copies = (count: number) => Array.from({ length: count }, () => `(${query})`);
    const twice = await extract(t, copies(2).join(' union all '));
    t.deepEqual(loadedAndRepeated(twice), { loaded: 30_000, repeated: 30_000 });
    t.true(twice.months.every(({ outcome }) => outcome === 'written'));
    const sorted = `select * from (${copies(3).join(' union all ')}) as rows order by hash(rows::varchar)`;
    t.deepEqual(loadedAndRepeated(await extract(t, sorted)), { loaded: 30_000, repeated: 60_000 });
  });

  test(`a block of rows with ${form} counts once if the file repeats the block further down`, async (t) => {
    const block = `select * from (${query}) limit 500 offset 2000`;
    const report = await extract(t, `(${query}) union all (${block})`);
    t.deepEqual(loadedAndRepeated(report), { loaded: 30_000, repeated: 500 });
  });
}

test('a file with flight numbers that contains itself twice counts each flight once', async (t) => {
  const query = `select * from ${real('nyc_2017.parquet')} where month <= 2`;
  const report = await extract(t, `(${query}) union all (${query})`);
  t.deepEqual(loadedAndRepeated(report), { loaded: 46_857, repeated: 46_857 });
});

test('flights are identified by their plane if the file has no flight numbers', async (t) => {
  const rows = ['N1', 'N2', 'N1'].map((plane) => aFlight({ TAIL_NUM: plane }));
  const withoutNumber = rows.map(({ OP_CARRIER_FL_NUM: _number, ...row }) => row);
  const { report } = await extractToLake(t, await aFile(t, toCsv(withoutNumber)));
  t.deepEqual(loadedAndRepeated(report), { loaded: 2, repeated: 1 });
});

test('the first row of a flight counts, and a number may fly twice a day at other times or routes', async (t) => {
  const rows = [
    aFlight({ ARR_DELAY: '40.00' }),
    aFlight({ ARR_DELAY: '0.00' }),
    aFlight({ CRS_DEP_TIME: '1800' }),
    aFlight({ DEST: 'SFO' }),
  ];
  const { report } = await extractToLake(t, await aFile(t, toCsv(rows)));
  t.deepEqual(loadedAndRepeated(report), { loaded: 3, repeated: 1 });
});

test('few equal rows without a flight number are different flights', async (t) => {
  const query = `select date '2018-07-04' as "FlightDate", 'Delta Air Lines Inc.' as "Airline",
    'JFK' as "Origin", 'BOS' as "Dest", 0 as "DepDelay" from range(8)`;
  t.deepEqual(loadedAndRepeated(await extract(t, query)), { loaded: 8, repeated: 0 });
});
