import path from 'node:path';
import test from 'ava';
import { openDatabase, capMemory } from '../../warehouse/connect.ts';
import { aFolder } from '../helpers/flight-files.ts';

test('each statement gets the parameters it names, and the last one returns the rows', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());

  const rows = await db.rows(
    `create table flights as select $carrier as carrier, $minutes::smallint as delay_min;
     select carrier, delay_min from flights where delay_min > $least`,
    { carrier: 'DL', minutes: 42, least: 30 },
  );

  t.deepEqual(rows, [{ carrier: 'DL', delay_min: 42 }]);
  await t.throwsAsync(db.rows('select $carrier'), { message: 'no value for parameter $carrier' });
});

test('any number of rows can be appended column by column', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());
  await db.run('create temp table effects (key varchar, hour tinyint, effect double)');

  const places = Array.from({ length: 5000 }, (_, at) => at);
  await db.append('effects', [places.map(String), places.map(() => null), places]);

  t.deepEqual(
    await db.rows('select key, hour, effect from effects where key in ($first, $last)', {
      first: '0',
      last: '4999',
    }),
    [
      { key: '0', hour: null, effect: 0 },
      { key: '4999', hour: null, effect: 4999 },
    ],
  );
  t.deepEqual(await db.rows('select count(*) as count from effects'), [{ count: 5000 }]);
});

test('dates are text, whole numbers are numbers, and a missing value is null', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());

  t.deepEqual(
    await db.rows(`select
      date '2018-07-04' as flight_date,
      3::bigint as flight_count,
      sum(4) as delayed_min_sum,
      1.25::decimal(5, 2) as rate,
      null::smallint as dep_delay_min,
      [1::bigint, 2] as hours,
      {'reason': 'invalid_dest', 'line': 7::bigint} as reject,
      map(['A'], [1::bigint]) as rejects`),
    [
      {
        flight_date: '2018-07-04',
        flight_count: 3,
        delayed_min_sum: 4,
        rate: 1.25,
        dep_delay_min: null,
        hours: [1, 2],
        reject: { reason: 'invalid_dest', line: 7 },
        rejects: [{ key: 'A', value: 1 }],
      },
    ],
  );
});

test('a whole number that JavaScript cannot represent exactly is an error', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());

  await t.throwsAsync(db.rows('select 9007199254740993::bigint as n'), { instanceOf: RangeError });
});

test('a closed file can be reopened read-only', async (t) => {
  const file = path.join(await aFolder(t), 'a.duckdb');
  const writer = await openDatabase({ path: file });
  await writer.run('create table flights as select 1 as n');
  writer.close();

  const reader = await openDatabase({ path: file, readOnly: true });
  t.teardown(() => reader.close());

  t.deepEqual(await reader.rows('from flights'), [{ n: 1 }]);
  await t.throwsAsync(reader.run('insert into flights values (2)'), { message: /read-only/ });
});

test('a database gets a share of the memory cap of the process, and never more than its own limit', (t) => {
  t.is(capMemory('1500MB', 1_000_000_000), '400MB');
  t.is(capMemory('1GB', 1_000_000_000), '400MB');
  t.is(capMemory('300MB', 1_000_000_000), '300MB');
  // No control group, and a control group without a limit.
  t.is(capMemory('1500MB', 0), '1500MB');
  t.is(capMemory('1500MB', 2 ** 64), '1500MB');
});
