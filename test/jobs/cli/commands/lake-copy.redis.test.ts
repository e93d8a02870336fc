import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { readConfig } from '../../../../jobs/config.ts';
import { createSteps } from '../../../../jobs/wiring/steps.ts';
import { createKeyring } from '../../../../warehouse/keyring/keyring.ts';
import { createKeystore } from '../../../../warehouse/keyring/keystore.ts';
import { readManifests } from '../../../../warehouse/lake/lake.ts';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { openObjects } from '../../../../warehouse/objects/open.ts';
import { aFlight, toCsv } from '../../../helpers/flight-files.ts';
import { borrowRedis } from '../../../helpers/redis.ts';
import { S3_KEY, s3Server } from '../../../helpers/s3-server.ts';
import { publishedWorld, silent } from '../../helpers/pipeline-world.ts';
import { commandsHere } from '../../helpers/program-here.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { trainWithCache } from '../../helpers/train-with-cache.ts';

/** A bucket, and the settings of a machine that shares its lake. */
async function aBucket(t: ExecutionContext) {
  const server = await s3Server(t);
  const env = {
    LAKE_URL: 's3://lake/of/ours',
    S3_ENDPOINT: server.url,
    AWS_ACCESS_KEY_ID: S3_KEY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
  };
  return { server, env };
}

test('a lake is copied into a bucket, used by an empty machine, and copied back', async (t) => {
  const { url, redis, dataDir, file } = await publishedWorld(t);
  const { server, env } = await aBucket(t);
  const { LAKE_URL: bucket, ...access } = env;
  const first = { DATA_DIR: dataDir, REDIS_URL: url, ...access };
  const lake = dataPaths(dataDir).lakeDir;
  const copied = await commandsHere(first)('lake-copy', '--from', lake, '--to', bucket);
  t.is(copied.code, 0, copied.err);
  t.regex(copied.out, /1 month, .+ verified\nNext: set LAKE_URL=s3:\/\/lake\/of\/ours/);
  const again = await commandsHere(first)('lake-copy', '--from', lake, '--to', bucket);
  t.regex(again.err, /Nothing was copied: .+ already has 1 month; FORCE=1/);

  const sizeBefore = server.objects.size;
  const missing = await commandsHere(first)(
    'lake-copy',
    '--from',
    's3://lake/typo',
    '--to',
    await tempDir(t),
  );
  t.regex(missing.err, /s3:\/\/lake\/typo has no lake/);
  t.is(server.objects.size, sizeBefore);

  // An empty machine sees the months of the bucket.
  const second = { ...env, DATA_DIR: await tempDir(t), REDIS_URL: url };
  const run = commandsHere(second);
  const status = JSON.parse((await run('status', '--json')).out);
  t.deepEqual(status.lake, { place: bucket });
  t.like(status.months, [{ month: '2018-07', state: 'pending' }]);
  const steps = createSteps({ ...readConfig(second), codeVersion: 'test' }, redis, {
    runTraining: trainWithCache,
  });
  const version = (await redis.get('hw:store:current'))!;
  await steps.publishStore(silent);
  const { months } = await steps.extractFile({ path: file }, silent);
  t.deepEqual(
    months.map(({ month, outcome }) => [month, outcome]),
    [['2018-07', 'unchanged']],
  );
  const august = join(second.DATA_DIR, 'august.csv');
  await writeFile(august, toCsv([aFlight({ FL_DATE: '2018-08-01' })]));
  const before = server.requests.length;
  await steps.extractFile({ path: august }, silent);
  const puts = server.requests.slice(before).filter((request) => request.startsWith('PUT'));
  // The uploads: files, manifest, a copy of the pointers, and the run.
  t.is(puts.length, 7, puts.join('\n'));
  t.regex((await run('sql', 'select count(*) as flights from flights')).out, /201/);

  // The first machine builds the month of the second, and a month that it drops disappears on the second.
  const shared = { ...first, ...env };
  const onFirst = createSteps({ ...readConfig(shared), codeVersion: 'test' }, redis);
  await onFirst.buildFeatures(silent);
  t.regex((await commandsHere(shared)('sql', 'from raw.lake_months')).out, /2018-08/);
  await onFirst.dropMonth({ month: '2018-08', tree: 'flights' }, silent);
  await steps.buildFeatures(silent);
  t.notRegex((await run('sql', 'from raw.lake_months')).out, /2018-08/);
  t.is(await redis.get('hw:store:current'), version);
  const verified = await run('verify', '--json');
  t.is(verified.code, 0, verified.out);

  t.regex((await commandsHere(first)('status')).err, /LAKE_URL is not set/);
  const to = join(await tempDir(t), 'lake');
  const back = await commandsHere(shared)('lake-copy', '--from', bucket, '--to', to);
  t.is(back.code, 0, back.err);
  t.deepEqual(await readManifests(to), await readManifests(lake));
  t.deepEqual((await readdir(join(to, 'versions', 'flights'))).toSorted(), ['2018-08']);

  server.fail({ on: () => true, times: 99, status: 403, code: 'AccessDenied' });
  const refused = await run('status');
  t.is(refused.code, 1);
  t.regex(
    refused.out,
    /the lake is unavailable: .+ refuses the request: AccessDenied.+check AWS_ACCESS_KEY_ID/,
  );
});

test('keys are restored on an empty machine from the archive in the bucket', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const { env } = await aBucket(t);
  const config = readConfig({ ...env, DATA_DIR: await tempDir(t), REDIS_URL: url });
  const account = { name: 'A shop', email: 'shop@example.com', monthlyLimit: 100 };
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  const { apiKey } = await keys.create(account, 'live', new Date());
  const { archiveFile } = dataPaths(config.dataDir);
  const objects = openObjects(config.lake!);
  await createKeyring({ redis, archiveFile, now: () => new Date(), objects }).archive();
  await redis.flushall();
  const run = commandsHere({ ...env, DATA_DIR: await tempDir(t), REDIS_URL: url });
  t.regex((await run('keys-restore')).out, /1 key restored/);
  t.like(await keys.admit(apiKey, 1, new Date()), { verdict: 'admitted' });
});

test('invalid settings of the lake are refused with the reason', (t) => {
  const problems = (env: Record<string, string>) => t.throws(() => readConfig(env)).message;
  t.regex(
    problems({ LAKE_URL: 's3://b/lake' }),
    /AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing/,
  );
  t.regex(problems({ LAKE_URL: 'lake' }), /neither s3:\/\/bucket\/prefix nor the absolute path/);
  t.regex(problems({ S3_ENDPOINT: 'localhost:9000' }), /S3_ENDPOINT is not an http/);
  t.regex(problems({ DATA_DIR: 's3://b' }), /set LAKE_URL for a lake elsewhere/);
  t.deepEqual(readConfig({ LAKE_URL: '/mnt/lake' }).lake, { kind: 'folder', folder: '/mnt/lake' });
});
