import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { doctor } from '../../../../jobs/cli/commands/doctor.ts';
import { restoreBackupKeys } from '../../../../jobs/cli/commands/keys-restore.ts';
import { machineFindings } from '../../../../jobs/cli/doctor/machine.ts';
import { redisFindings, noticeFindings } from '../../../../jobs/cli/doctor/redis.ts';
import { upstreamFindings } from '../../../../jobs/cli/doctor/upstreams.ts';
import { readConfig } from '../../../../jobs/config.ts';
import { openQueues } from '../../../../jobs/queue/queues.ts';
import { requestStep } from '../../../../jobs/queue/requests.ts';
import { createKeyring } from '../../../../warehouse/keyring/keyring.ts';
import { createKeystore } from '../../../../warehouse/keyring/keystore.ts';
import { newestBackup, readBackup } from '../../../../warehouse/lake/backup-files.ts';
import { monthDir } from '../../../../warehouse/lake/lake.ts';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { acknowledgeIncidents, openIncident } from '../../../../warehouse/live/incidents.ts';
import { signingKeysFile } from '../../../../warehouse/live/signing-keys.ts';
import { readFromDisk } from '../../../../warehouse/store/disk.ts';
import { S3_KEY, s3Server } from '../../../helpers/s3-server.ts';
import { startCommand } from '../../helpers/command.ts';
import { publishedWorld } from '../../helpers/pipeline-world.ts';
import { commandsHere } from '../../helpers/program-here.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const MAIN = fileURLToPath(new URL('../../../../jobs/main.ts', import.meta.url));
const NOW = new Date('2026-03-10T14:00:00Z');

test('a backup restores keys, counts, months and the store on an empty machine', async (t) => {
  const { url, redis, dataDir, store } = await publishedWorld(t);
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  const now = new Date();
  const account = { name: 'A shop', email: 'shop@example.com', monthlyLimit: 100 };
  const { apiKey } = await keys.create(account, 'live', now);
  await keys.admit(apiKey, 7, now);
  const keysFile = signingKeysFile(dataDir);
  await mkdir(dirname(keysFile), { recursive: true });
  await writeFile(keysFile, '[1]');
  const to = await tempDir(t);
  const run = commandsHere({ DATA_DIR: dataDir, REDIS_URL: url });
  const first = await run('backup', '--to', to);
  t.regex(first.out, /1 key with their counts/);
  await keys.admit(apiKey, 5, now);
  t.is((await run('backup', '--to', join(dataDir, 'lake', 'x'))).code, 1);

  // Both backups share one file of an unchanged month.
  t.is((await run('backup', '--to', to)).code, 0);
  const [older = '', newer = ''] = (await readdir(to)).toSorted();
  const lakeFile = async (backup: string) => {
    const folder = monthDir(join(to, backup, 'lake'), '2018-07');
    return stat(join(folder, (await readdir(folder)).toSorted()[0] ?? ''));
  };
  t.is((await lakeFile(older)).ino, (await lakeFile(newer)).ino);

  await redis.flushall();
  await rm(dataDir, { recursive: true });
  const paths = dataPaths(dataDir);
  const env = { DATA_DIR: dataDir, REDIS_URL: url };
  const server = await s3Server(t);
  const bucket = {
    LAKE_URL: 's3://lake/of/ours',
    S3_ENDPOINT: server.url,
    AWS_ACCESS_KEY_ID: S3_KEY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
  };
  const shared = { ...env, ...bucket };
  const restore = startCommand(t, ['restore-backup', '--from', to], shared, MAIN);
  t.is(await restore.end, 0, restore.err());
  t.regex(restore.out(), /1 key restored/);
  t.is(await readFile(keysFile, 'utf8'), '[1]');
  t.is((await stat(keysFile)).mode & 0o777, 0o600);
  t.regex(restore.out(), /1 month copied to s3:\/\/lake\/of\/ours/);
  t.like(await keys.usage(apiKey, now), { monthCount: 12, totalRequests: 12, name: 'A shop' });
  t.like(await keys.admit(apiKey, 1, now), { verdict: 'admitted', monthCount: 13 });
  const restored = await readFromDisk(paths.storeDir);
  t.deepEqual(restored?.manifest.tables, store.manifest.tables);

  // An empty machine backs up the lake of the bucket.
  const third = commandsHere({ ...shared, DATA_DIR: await tempDir(t) });
  const all = await tempDir(t);
  t.regex((await third('backup', '--to', all)).out, /1 key with their counts/);
  const lakeFiles = async (backup: string) =>
    (await readBackup((await newestBackup(backup)) ?? '')).files
      .map((file) => file.path)
      .filter((file) => file.startsWith('lake/flights/'));
  t.deepEqual(await lakeFiles(all), await lakeFiles(to));

  // Changes in this machine's archive since the backup are restored too.
  const later = await keys.create({ ...account, name: 'A later shop' }, 'live', now);
  await keys.setActive((await keys.usage(apiKey, now)).prefix, false, new Date());
  await createKeyring({ redis, archiveFile: paths.archiveFile, now: () => new Date() }).archive();
  const archive = join((await newestBackup(to)) ?? '', 'archive', 'keys.jsonl');
  const out: string[] = [];
  const stream = { write: (text: string) => out.push(text) };
  const context = { config: readConfig(env), out: stream, err: stream } as never;
  await redis.flushall();
  await restoreBackupKeys(context, archive);
  t.regex(out.join(''), /: 2 keys restored/);
  t.deepEqual(await keys.admit(apiKey, 1, now), { verdict: 'invalid' });
  t.like(await keys.admit(later.apiKey, 1, now), { verdict: 'admitted' });
  await appendFile(paths.archiveFile, ' ');
  await redis.flushall();
  await restoreBackupKeys(context, archive);
  t.regex(out.join(''), /is damaged: .+of the backup are restored\n.+: 1 key restored/);

  const again = await run('restore-backup', '--from', join(to, 'nothing'));
  t.regex(again.err, /No backup found in/);
  const folder = await newestBackup(to);
  await appendFile(join(folder ?? '', 'archive', 'keys.jsonl'), ' ');
  const damaged = await run('restore-backup', '--from', to, '--force');
  t.is(damaged.code, 1);
  t.regex(
    damaged.err,
    /Nothing was restored, because 1 file of this backup failed verification, for example archive/,
  );
});

test('the exit code of the doctor is that of its worst finding', async (t) => {
  const { url, dataDir, redis } = await publishedWorld(t);
  const out: string[] = [];
  const config = readConfig({ DATA_DIR: dataDir, REDIS_URL: url, OFFLINE: '1' });
  const stream = { write: (text: string) => out.push(text) };
  const context = { config, out: stream, err: stream, now: () => new Date() } as never;
  const has = { hasRedisServer: true, hasXgboost: true };
  const deps = { node: '24.21.0', has, certificateEnd: () => Promise.reject(new Error('no')) };
  t.is(await doctor(context, { json: false }, deps), 2, out.join(''));
  t.regex(
    out.join(''),
    /\? {4}worker\.missing: no worker is connected[^\n]+\n +fix: see "Conditions"/,
  );
  const former = ['lake.before-1793491200000', 'models.before-1793577600000'];
  const others = [
    "lake's old.before-1793491200000",
    'lake.before-2026',
    'lake.before-20261101000000000',
  ];
  for (const name of [...former, ...others]) await mkdir(join(dataDir, name));
  // The queue still has a failed job after its incident is acknowledged.
  const queues = openQueues(url);
  t.teardown(() => queues.close());
  const { id } = await requestStep(queues, 'build-features');
  const bull = 'bull:warehouse';
  t.is(await redis.lrem(`${bull}:wait`, 0, id), 1);
  await redis.zadd(`${bull}:failed`, Date.now(), id);
  const since = new Date().toISOString();
  const text = 'build-features failed: the disk is full';
  await openIncident(redis, { key: 'job build-features', kind: 'job.failed', text, since });
  t.is(await doctor(context, { json: false }, deps), 1, 'like make status');
  t.regex(
    out.at(-1) ?? '',
    /!! {3}job\.failed: build-features failed: the disk .+\n.+make acknowledge/,
  );
  await acknowledgeIncidents(redis, since);
  t.is(await doctor(context, { json: false }, deps), 2);
  t.notRegex(out.at(-1) ?? '', /job\.failed/);
  t.deepEqual(
    out.at(-1)?.match(/(?<=need them: rm -r ').+(?=')/g),
    former.map((name) => join(dataDir, name)),
  );
  await appendFile(join(monthDir(dataPaths(dataDir).lakeDir, '2018-07'), 'manifest.json'), ' ');
  t.is(await doctor(context, { json: true }, deps), 1);
  t.regex(out.at(-1) ?? '', /"what": "flights",\s+"state": "bad"/);
});

test('problems of machine, Redis and notices are findings', async (t) => {
  const states = (findings: { what: string; state: string }[]) =>
    findings.filter(({ state }) => state !== 'well').map(({ what, state }) => `${what} ${state}`);
  const machine = { node: '24.12.0', hasRedisServer: true, hasXgboost: true, disk: undefined };
  const own = { hasRedisUrl: false };
  t.deepEqual(states(machineFindings(machine, own)), []);
  const poor = { node: '24.11.9', hasRedisServer: false, hasXgboost: false };
  t.deepEqual(states(machineFindings({ ...poor, disk: undefined }, own)), [
    'Node bad',
    'redis-server bad',
    'libxgboost0 doubtful',
  ]);
  const safe = {
    ...{ version: '7.0.15', isAppending: true, sync: 'no', policy: 'noeviction' },
    ...{ limit: 0, used: 5, isWriting: true },
  };
  t.deepEqual(states(redisFindings(safe, 1_000)), []);
  t.is(redisFindings(safe, 1_000)[0]?.text, '7.0.15, append-only on, fsync no');
  t.deepEqual(states(redisFindings({ ...safe, version: '6.0.1', limit: 6 }, -2_500)), [
    'Redis bad',
    'Redis doubtful',
    'clock bad',
  ]);
  t.deepEqual(states(noticeFindings(0)), []);
  t.deepEqual(states(noticeFindings(2)), ['notices doubtful']);
});

test('findings on certificates name only the host, and OFFLINE=1 checks no certificate', async (t) => {
  const config = readConfig({
    BTS_BASE_URL: 'https://bts.example/PREZIP',
    WEATHER_FORECAST_URL: 'https://weather.example:8443/v1',
    WEATHER_ARCHIVE_URL: 'http://plain.example/v1',
    NOTIFY_URL: 'https://hooks.example/secret',
    NOTIFY_SECRET: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  const hosts: string[] = [];
  const findings = await upstreamFindings(
    config,
    async (host, port) => {
      hosts.push(`${host} ${port}`);
      if (host === 'hooks.example') throw new Error('certificate has expired');
      return new Date(NOW.getTime() + (port === 8443 ? 13 : 40) * 86_400_000);
    },
    NOW,
  );
  t.deepEqual(hosts, ['bts.example 443', 'weather.example 8443', 'hooks.example 443']);
  t.deepEqual(
    findings.map(({ what, state, text }) => `${what}: ${state}, ${text}`),
    [
      'certificate of bts.example:443: well, expires in 40 days',
      'certificate of weather.example:8443: doubtful, expires in 13 days',
      'certificate of hooks.example:443: doubtful, certificate has expired',
    ],
  );
  const offline = await upstreamFindings(readConfig({ OFFLINE: '1' }), t.fail, NOW);
  t.is(offline.length, 1);
});
