import { appendFile, cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { Redis } from 'ioredis';
import { hashKey } from '../../../../warehouse/keyring/format.ts';
import { redisKeys } from '../../../../warehouse/keyring/layout.ts';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { versionsDir } from '../../../../warehouse/lake/versions.ts';
import { borrowRedis } from '../../../helpers/redis.ts';
import { publishedWorld } from '../../helpers/pipeline-world.ts';
import { commandsHere, programHere } from '../../helpers/program-here.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

test('an operator lists keys, changes limit and end of one, and rotates it; secret and e-mail are shown nowhere', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const run = commandsHere({ DATA_DIR: await tempDir(t), REDIS_URL: url });
  t.is((await run('keys')).out, 'There are no keys.\n');
  const made = await run('key', '--name', 'A shop', '--email', 'shop@example.com');
  const secret = made.out.trim();
  const prefix = secret.slice(0, 14);

  const listed = await run('keys');
  t.regex(listed.out, new RegExp(`│ ${prefix} │ A shop │ +100 │ +0 │ never +│ active │`));
  t.notRegex(listed.out, new RegExp(`shop@example|${secret}`));
  const asJson = JSON.parse((await run('keys', '--json')).out) as Record<string, unknown>[];
  t.like(asJson, { length: 1, 0: { prefix, monthlyLimit: 100 } });

  const limited = await run('key-limit', '--prefix', prefix, '--limit', 'unlimited');
  t.is(limited.out, `Key ${prefix} has unlimited calls a month from now on.\n`);
  const misread = await run('key-limit', '--prefix', prefix, '--limit', 'many');
  t.is(misread.code, 1);
  t.regex(misread.err, /^LIMIT .*, or unlimited\.\n$/);
  const beyond = await run('key-limit', '--prefix', prefix, '--limit', '10000001');
  const range = 'LIMIT must be a whole number from 1 to 10000000, or unlimited';
  t.deepEqual([beyond.code, beyond.err], [1, `${range}.\n`]);
  const owner = ['--name', 'A shop', '--email', 'shop@example.com'];
  t.is((await run('key', ...owner, '--limit', '10000001')).err, `${range}\n`);

  const ending = await run('key-expiry', '--prefix', prefix, '--expires', '2099-01-01');
  t.regex(ending.out, new RegExp(`^Key ${prefix} works until 2099-01-0.*\n$`));
  const endless = await run('key-expiry', '--prefix', prefix, '--expires', 'never');
  t.is(endless.out, `Key ${prefix} does not end.\n`);

  const next = await run('key-rotate', '--prefix', prefix, '--grace', '12h');
  const nextPrefix = next.out.trim().slice(0, 14);
  t.regex(next.err, new RegExp(`The old one, ${prefix}, works until .*\n$`));
  const shown = await run('keys', '--prefix', nextPrefix);
  t.regex(shown.out, new RegExp(`^${nextPrefix}  A shop\nactive, of ${prefix}, made `));
  t.regex(shown.out, /\n0 of unlimited calls this month, 0 of all time\n/);
  t.regex(shown.out, new RegExp(`\nsame account: ${prefix}, until `));
  const oneAsJson = await run('keys', '--prefix', nextPrefix, '--json');
  t.like(JSON.parse(oneAsJson.out), { prefix: nextPrefix, others: { length: 1 } });

  for (const args of [['keys'], ['key-limit', '--limit', '7'], ['key-rotate']]) {
    const unknown = await run(...args, '--prefix', 'hw_test_AAAAAA');
    t.is(unknown.code, 1);
    t.is(unknown.err, 'No key has the prefix "hw_test_AAAAAA".\n');
  }
});

test('a key whose record makes no sense is listed with what is wrong beside the others, and mended', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const run = commandsHere({ DATA_DIR: await tempDir(t), REDIS_URL: url });
  const owner = ['--name', 'A shop', '--email', 'shop@example.com'];
  const [broken, sound] = [(await run('key', ...owner)).out, (await run('key', ...owner)).out];
  const [prefix, other] = [broken.slice(0, 14), sound.slice(0, 14)];
  await redis.hset(redisKeys.key(hashKey(broken.trim())), { active: 2, until: 'soon' });
  const why = `the record of key ${prefix} makes no sense: until`;
  const listed = await run('keys');
  t.true(listed.out.includes(why));
  t.regex(listed.out, new RegExp(`│ ${other} │ A shop │ +100 │ +0 │ never +│ active +│`));
  t.like(await run('keys', '--prefix', prefix), { code: 1, err: `${why}\n` });
  t.is((await run('key-rotate', '--prefix', prefix)).code, 1);
  t.is((await run('key-expiry', '--prefix', prefix, '--expires', 'never')).code, 0);
  t.false((await run('keys')).out.includes('makes no sense'));
  t.is((await run('key-rotate', '--prefix', prefix)).code, 0);
});

test('a month is dropped and comes back; what cannot be is refused, and nothing is changed', async (t) => {
  const { dataDir } = await publishedWorld(t);
  const run = await programHere(t, dataDir);
  const dropped = await run('drop', '2018-07');
  t.is(dropped.code, 0, dropped.err);
  t.regex(dropped.out, /^2018-07 was  .*200.*\n +is   not there\n/);
  t.regex(dropped.out, /\nTo go back: make restore MONTH=2018-07\nNext: make features publish\n$/);
  t.is((await run('drop', '2018-07')).out, '2018-07 was not there\nNothing has changed.\n');
  const wrong = await run('restore', '2018-07', 'yesterday');
  t.regex(wrong.err, /^Nothing was changed: 2018-07 has \S+\n$/);
  t.is(
    (await run('restore', '2018-07..2018-08')).err,
    'Nothing was changed: no earlier version of 2018-08 is kept\n',
  );
  const back = await run('restore', '2018-07', '--publish');
  t.is(back.code, 0, back.err);
  t.regex(back.out, /^2018-07 was  not there\n +is   .*200/);

  // Of several, one that is damaged: what was done before it is told.
  await run('drop', '2018-07');
  const { lakeDir } = dataPaths(dataDir);
  const kept = (month: string) => versionsDir(lakeDir, { month, tree: 'flights' });
  await cp(kept('2018-07'), kept('2018-08'), { recursive: true });
  const [version = ''] = await readdir(kept('2018-08'));
  const folder = path.join(kept('2018-08'), version);
  for (const file of await readdir(folder)) {
    if (file.endsWith('.parquet')) await appendFile(path.join(folder, file), ' ');
  }
  const half = await run('restore', '2018-07..2018-08', '--publish');
  t.is(half.code, 1);
  t.regex(half.err, /sha256 is not that of the manifest\n$/);
  t.regex(half.out, /^2018-07 was  not there\n +is   .*200.*\nNext: make features publish\n$/);

  const none = 'MONTH="July" is not a month like 2025-03, or 2025-03..2025-06\n';
  t.is((await run('drop', 'July')).err, none);
});

test('checks are run on what is loaded, of a single one the rows are shown, and nothing is built', async (t) => {
  const empty = commandsHere({ DATA_DIR: await tempDir(t), REDIS_URL: '' });
  t.is((await empty('check-data')).err, 'Nothing is loaded yet: make ingest\n');
  const { dataDir, url, runs } = await publishedWorld(t);
  const before = (await runs()).length;
  const run = commandsHere({ DATA_DIR: dataDir, REDIS_URL: url });
  const all = await run('check-data');
  t.is(all.code, 0, all.err);
  t.regex(all.out, /│ history_fresh +│ warning │ +1 │/);
  t.regex(all.out, /│ route_carrier_otp_rates +│ passed +│ +0 │/);
  const one = await run('check-data', '--select', 'history_fresh');
  t.is(one.code, 0);
  t.regex(one.out, /^history_fresh \(warn\): /);
  t.regex(one.out, /\nwarning\n[^]*2018-07[^]*\n1 rows\n$/);
  const calm = await run('check-data', '--select', 'route_carrier_otp_rates');
  t.regex(calm.out, /\npassed\n$/);
  const none = await run('check-data', '--select', 'weather');
  t.is(none.code, 1);
  t.regex(none.err, /^There is no check weather\. There are: .*history_fresh/);
  t.is((await runs()).length, before);
});

test('weather of the past is not looked for where the question is wrong', async (t) => {
  const run = commandsHere({ DATA_DIR: await tempDir(t), REDIS_URL: '', OFFLINE: '1' });
  const refusal = async (...args: string[]) => {
    const { code, err } = await run('backfill-weather', '--from', '2025-01', ...args);
    t.is(code, 1);
    return err;
  };
  t.regex(await refusal('--to', 'March'), /Example: make backfill-weather FROM=2025-01 TO=2025-12/);
  const span = ['--to', '2025-02'];
  t.regex(await refusal(...span, '--zone', 'Mars/North'), /^ZONE Mars\/North is no time zone: /);
  const address = ['--source', 'https://weather.example/archive'];
  t.regex(await refusal(...span, ...address, '--zone', 'local'), /^ZONE= is for a SOURCE= that/);
  t.regex(await refusal(...span, ...address), /^OFFLINE=1 is set, so nothing is downloaded\. /);
  t.regex(await refusal(...span, '--source', '/nowhere'), /^SOURCE \/nowhere is neither /);
});
