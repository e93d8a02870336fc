import test from 'ava';
import { SourceRefusedError } from '../../../pipelines/errors.ts';
import { monthFileIn, monthUrl } from '../../../pipelines/flights/month-source.ts';

const REPORTING = 'On_Time_Reporting_Carrier_On_Time_Performance_1987_present_2025_3.zip';
const BTS = 'On_Time_Marketing_Carrier_On_Time_Performance_Beginning_January_2018_2025_3.zip';

test('the address of a month is the base, with or without a slash, and its BTS name', (t) => {
  t.is(monthUrl({ base: 'http://mirror/bts' }, '2025-03'), `http://mirror/bts/${BTS}`);
  t.is(monthUrl({ base: 'http://mirror/bts/' }, '2025-03'), `http://mirror/bts/${BTS}`);
});

test('the address of a month follows the table', (t) => {
  const server = { base: 'http://mirror/bts', table: 'reporting' } as const;
  t.is(monthUrl(server, '2025-03'), `http://mirror/bts/${REPORTING}`);
});

test("in a folder, a file with BTS's own name is preferred", (t) => {
  t.is(monthFileIn('/f', ['flights-2025-03.csv', BTS], '2025-03'), BTS);
  t.is(monthFileIn('/f', ['flights-2025-03.csv', REPORTING], '2025-03'), REPORTING);
});

test('in a folder with both tables, the marketing-carrier table is preferred', (t) => {
  t.is(monthFileIn('/f', [REPORTING, BTS], '2025-03'), BTS);
});

test('without it, the flight file whose name contains the month is used', (t) => {
  const names = ['notes-2025-03.txt', '.2025-03.csv', 'us-2025-03.csv.gz', 'us-2025-04.csv.gz'];
  t.is(monthFileIn('/f', names, '2025-03'), 'us-2025-03.csv.gz');
  t.is(monthFileIn('/f', names, '2025-05'), undefined);
});

test('a folder with several files of a month is refused', (t) => {
  const names = ['b-2025-03.csv', 'a-2025_3.parquet'];
  t.throws(() => monthFileIn('/f', names, '2025-03'), {
    instanceOf: SourceRefusedError,
    message: '/f: several files match 2025-03: a-2025_3.parquet, b-2025-03.csv',
  });
});
