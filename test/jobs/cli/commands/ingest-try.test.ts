import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { existsSync } from 'node:fs';
import { sha256 } from '../../../../warehouse/ground/hashes.ts';
import { aFile, aFlight, aFolder, toCsv } from '../../../helpers/flight-files.ts';
import { commandsHere } from '../../helpers/program-here.ts';

async function aCommand(t: ExecutionContext) {
  const dataDir = await aFolder(t);
  const command = commandsHere({ DATA_DIR: dataDir, REDIS_URL: 'redis://127.0.0.1:1' });
  return { dataDir, ingest: (...args: string[]) => command('ingest', ...args) };
}

test('a dry run prints the outcome of files without a job and writes nothing', async (t) => {
  const { dataDir, ingest } = await aCommand(t);
  const good = await aFile(t, toCsv([aFlight(), aFlight({ OP_CARRIER_FL_NUM: '424' })]));
  const noFlights = await aFile(t, 'a,b\n1,2\n', 'none.csv');
  const result = await ingest('--dry-run', good, noFlights);
  t.is(result.code, 1);
  t.regex(result.out, /│ flights\.csv │ .* │ 2018-07 │ +2 │ +2 │ +0 │/);
  t.regex(result.out, /│ none\.csv +│ .* failed +│/);
  t.is((await ingest('--dry-run', good)).code, 0);
  t.false(existsSync(path.join(dataDir, 'lake/flights')));
});

test('a file with another checksum than SHA256= is not loaded', async (t) => {
  const { ingest } = await aCommand(t);
  const file = await aFile(t, toCsv([aFlight()]));
  const hash = sha256(await readFile(file, 'utf8'));
  const other = '0'.repeat(64);
  t.like(await ingest('--dry-run', '--sha256', other, file), {
    code: 1,
    err: `Nothing was loaded: the sha256 of ${file} is ${hash}, not ${other}\n`,
  });
  t.is((await ingest('--dry-run', '--sha256', hash.toUpperCase(), file)).code, 0);
  const short = await ingest('--dry-run', '--sha256', 'abc', file);
  t.is(short.err, 'SHA256= must have 64 hexadecimal digits\n');
  const two = await ingest('--dry-run', '--sha256', hash, file, file);
  t.is(two.err, 'SHA256= works only with one file\n');
  const together = await ingest('--together', '--year', '2018', file, file);
  t.regex(together.err, /^YEAR= and TOGETHER=1 cannot be combined/);
});

test('a dry run names unknown codes, the most frequent first', async (t) => {
  const { ingest } = await aCommand(t);
  const flight = (at: number, airline: string, origin = 'EGLL') =>
    `2018-06-04,${airline},${at},${origin},CDG,10:${String(10 + (at % 50))},10:59`;
  const unknown = ['QZQ', 'QZX', 'QZX', 'QZX'];
  const lines = [
    ...Array.from({ length: 96 }, (_, at) => flight(at, 'AF')),
    ...unknown.map((airline, at) => flight(200 + at, airline)),
  ];
  const file = await aFile(
    t,
    `flight_date,airline,flight,origin,dest,scheduled_departure,actual_departure\n${lines.join('\n')}\n`,
    'own.csv',
  );
  const result = await ingest('--dry-run', file);
  t.regex(result.out, /own\.csv: invalid_carrier has 2 values: QZX \(3 rows\), QZQ \(1 row\)\n/);
  t.regex(result.out, /docs\/providers\.md, "Reasons of rejected rows"/);
});
