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

test('an operator lists, changes and rotates keys, and no command repeats a secret or shows an e-mail address', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const run = commandsHere({ DATA_DIR: await tempDir(t), REDIS_URL: url });
  t.is((await run('keys')).out, 'There are no keys.\n');
  const created = await run('key', '--name', 'A shop', '--email', 'shop@example.com');
  const secret = created.out.trim();
  const prefix = secret.slice(0, 14);

  const listed = await run('keys');
  t.regex(listed.out, new RegExp(`│ ${prefix} │ A shop │ +100 │ +0 │ never +│ active │`));
  t.notRegex(listed.out, new RegExp(`shop@example|${secret}`));
  const asJson = JSON.parse((await run('keys', '--json')).out) as Record<string, unknown>[];
  t.like(asJson, { length: 1, 0: { prefix, monthlyLimit: 100 } });

  const limited = await run('key-limit', '--prefix', prefix, '--limit', 'unlimited');
  t.is(limited.out, `Key ${prefix} now has unlimited calls a month.\n`);
  const invalid = await run('key-limit', '--prefix', prefix, '--limit', 'many');
  t.is(invalid.code, 1);
  t.regex(invalid.err, /^LIMIT .*, or unlimited\.\n$/);
  const highLimit = await run('key-limit', '--prefix', prefix, '--limit', '10000001');
  const range = 'LIMIT must be a whole number from 1 to 10000000, or unlimited';
  t.deepEqual([highLimit.code, highLimit.err], [1, `${range}.\n`]);
  const owner = ['--name', 'A shop', '--email', 'shop@example.com'];
  t.is((await run('key', ...owner, '--limit', '10000001')).err, `${range}\n`);

  const ending = await run('key-expiry', '--prefix', prefix, '--expires', '2099-01-01');
  t.regex(ending.out, new RegExp(`^Key ${prefix} works until 2099-01-0.*\n$`));
  const withoutEnd = await run('key-expiry', '--prefix', prefix, '--expires', 'never');
  t.is(withoutEnd.out, `Key ${prefix} never expires.\n`);

  const next = await run('key-rotate', '--prefix', prefix, '--grace', '12h');
  const nextPrefix = next.out.trim().slice(0, 14);
  t.regex(next.err, new RegExp(`The old key ${prefix} works until .*\n$`));
  const details = await run('keys', '--prefix', nextPrefix);
  t.regex(details.out, new RegExp(`^${nextPrefix}  A shop\nactive, account ${prefix}, created `));
  t.regex(details.out, /\n0 of unlimited calls this month, 0 in total\n/);
  t.regex(details.out, new RegExp(`\nsame account: ${prefix}, active until `));
  const oneAsJson = await run('keys', '--prefix', nextPrefix, '--json');
  t.like(JSON.parse(oneAsJson.out), { prefix: nextPrefix, others: { length: 1 } });

  for (const args of [['keys'], ['key-limit', '--limit', '7'], ['key-rotate']]) {
    const unknown = await run(...args, '--prefix', 'hw_test_AAAAAA');
    t.is(unknown.code, 1);
    t.is(unknown.err, 'No key has the prefix "hw_test_AAAAAA". To list keys: make keys\n');
  }
});

test('a key with an invalid record is listed with the problem, and setting its end repairs it', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const run = commandsHere({ DATA_DIR: await tempDir(t), REDIS_URL: url });
  const owner = ['--name', 'A shop', '--email', 'shop@example.com'];
  const [broken, sound] = [(await run('key', ...owner)).out, (await run('key', ...owner)).out];
  const [prefix, other] = [broken.slice(0, 14), sound.slice(0, 14)];
  await redis.hset(redisKeys.key(hashKey(broken.trim())), { active: 2, until: 'soon' });
  const why = `the record of key ${prefix} is broken: until`;
  const listed = await run('keys');
  t.true(listed.out.includes(why));
  t.regex(listed.out, new RegExp(`│ ${other} │ A shop │ +100 │ +0 │ never +│ active +│`));
  t.like(await run('keys', '--prefix', prefix), { code: 1, err: `${why}\n` });
  t.is((await run('key-rotate', '--prefix', prefix)).code, 1);
  t.is((await run('key-expiry', '--prefix', prefix, '--expires', 'never')).code, 0);
  t.false((await run('keys')).out.includes('is broken'));
  t.is((await run('key-rotate', '--prefix', prefix)).code, 0);
});

test('a month is dropped and restored; impossible requests are refused and change nothing', async (t) => {
  const { dataDir } = await publishedWorld(t);
  const run = await programHere(t, dataDir);
  const dropped = await run('drop', '2018-07');
  t.is(dropped.code, 0, dropped.err);
  t.regex(dropped.out, /^2018-07 before  .*200.*\n +after   not loaded\n/);
  t.regex(dropped.out, /\nTo undo: make restore MONTH=2018-07\nNext: make features publish\n$/);
  t.is((await run('drop', '2018-07')).out, '2018-07 is not loaded\nNothing was changed.\n');
  const unknown = await run('restore', '2018-07', 'yesterday');
  t.regex(
    unknown.err,
    /^Nothing was changed: 2018-07 has no version yesterday; its versions are \S+\n$/,
  );
  t.is(
    (await run('restore', '2018-07..2018-08')).err,
    'Nothing was changed: 2018-08 has no former version\n',
  );
  const restored = await run('restore', '2018-07', '--publish');
  t.is(restored.code, 0, restored.err);
  t.regex(restored.out, /\n2018-07 before  not loaded\n +after   .*200/);

  // The version of August is damaged, so a restore of July and August restores no month.
  await run('drop', '2018-07');
  const { lakeDir } = dataPaths(dataDir);
  const versions = (month: string) => versionsDir(lakeDir, { month, tree: 'flights' });
  await cp(versions('2018-07'), versions('2018-08'), { recursive: true });
  const [version = ''] = await readdir(versions('2018-08'));
  const folder = path.join(versions('2018-08'), version);
  for (const file of await readdir(folder)) {
    if (file.endsWith('.parquet')) await appendFile(path.join(folder, file), ' ');
  }
  const half = await run('restore', '2018-07..2018-08', '--publish');
  t.is(half.code, 1);
  t.regex(half.err, /^Nothing was changed: 2018-08 has no intact version/);
  t.regex(half.out, /│ damaged │/);
  t.is((await run('drop', '2018-07')).out, '2018-07 is not loaded\nNothing was changed.\n');

  const invalid =
    'MONTH="July" is neither a month (2025-03) nor a range of months (2025-03..2025-06)\n';
  t.is((await run('drop', 'July')).err, invalid);
});

test('check-data runs the checks on the loaded data, shows the rows of one check, and builds nothing', async (t) => {
  const empty = commandsHere({ DATA_DIR: await tempDir(t), REDIS_URL: '' });
  t.is(
    (await empty('check-data')).err,
    'No flights are loaded yet; load a file: make ingest FILE=path\n',
  );
  const { dataDir, url, runs } = await publishedWorld(t);
  const before = (await runs()).length;
  const run = commandsHere({ DATA_DIR: dataDir, REDIS_URL: url });
  const all = await run('check-data');
  t.is(all.code, 0, all.err);
  t.regex(all.out, /│ month_volume +│ passed +│ +0 │/);
  t.regex(all.out, /│ route_carrier_otp_rates +│ passed +│ +0 │/);
  const one = await run('check-data', '--select', 'month_volume');
  t.is(one.code, 0);
  t.regex(one.out, /^month_volume: [^\n]+\n {2}error: never: [^\n]+\n {2}warn: any row: /);
  t.regex(one.out, /\npassed\n$/);
  const passing = await run('check-data', '--select', 'route_carrier_otp_rates');
  t.regex(passing.out, /\npassed\n$/);
  const unknown = await run('check-data', '--select', 'weather');
  t.is(unknown.code, 1);
  t.regex(unknown.err, /^Unknown check weather\. The checks are: .*month_volume/);
  t.is((await runs()).length, before);
});

test('backfill-weather refuses invalid months, zones and sources', async (t) => {
  const run = commandsHere({ DATA_DIR: await tempDir(t), REDIS_URL: '', OFFLINE: '1' });
  const refusal = async (...args: string[]) => {
    const { code, err } = await run('backfill-weather', '--from', '2025-01', ...args);
    t.is(code, 1);
    return err;
  };
  t.regex(await refusal('--to', 'March'), /Example: make backfill-weather FROM=2025-01 TO=2025-12/);
  const span = ['--to', '2025-02'];
  t.regex(
    await refusal(...span, '--zone', 'Mars/North'),
    /^ZONE=Mars\/North is not a time zone\. /,
  );
  const address = ['--source', 'https://weather.example/archive'];
  t.regex(
    await refusal(...span, ...address, '--zone', 'local'),
    /^ZONE= works only with a file as SOURCE=/,
  );
  t.regex(await refusal(...span, ...address), /^OFFLINE=1 is set, so nothing is downloaded\. /);
  t.regex(await refusal(...span, '--source', '/nowhere'), /^SOURCE=\/nowhere is neither /);
});
