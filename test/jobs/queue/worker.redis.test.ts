import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { pino } from 'pino';
import { countWorkers } from '../../../jobs/queue/queues.ts';
import { renewStore } from '../../../jobs/queue/renew-store.ts';
import { requestFile, requestStep } from '../../../jobs/queue/requests.ts';
import { startCommand, until } from '../helpers/command.ts';
import { aReport } from '../helpers/fake-steps.ts';
import { queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import { STORE_SCHEMA_VERSION } from '../../../warehouse/store/tables.ts';

test('the warehouse queue runs one job at a time, with any number of workers', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  let [open, most] = [0, 0];
  const openWarehouse = async () => {
    open += 1;
    most = Math.max(most, open);
    await sleep(60);
    open -= 1;
  };
  const steps = {
    extractFile: async () => aReport('a.csv', ['2018-01']),
    loadMonths: async (months: string[]) => {
      await openWarehouse();
      return { months, flights: 1 };
    },
    buildFeatures: async () => {
      await openWarehouse();
      return { rows: {}, checks: [] };
    },
    publishStore: async () => {
      await openWarehouse();
      return { version: 'v1', months: [], bytes: 0 };
    },
  };
  await Promise.all([work(steps), work(steps)]);
  const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
  const files = await Promise.all(
    hashes.map((sha256) => requestFile(queues, { path: '/a.csv', sha256 })),
  );
  const refs = [
    ...files.map((file) => file.load),
    await requestStep(queues, 'build-features'),
    await requestStep(queues, 'publish'),
  ];
  await Promise.all(refs.map((ref) => follow(ref)));
  t.is(most, 1);
});

test('workers are counted while they are connected', async (t) => {
  const { queues, work } = await queueWorld(t);
  t.is(await countWorkers(queues), 0);
  await work({});
  t.is(await countWorkers(queues), 1);
});

test('a job whose worker is killed runs again within 20 s and ends once', async (t) => {
  const folder = await tempDir(t);
  const dataDir = join(folder, 'data');
  const file = join(folder, 'a.csv');
  const calls = () => readFile(join(dataDir, 'calls'), 'utf8').catch(() => '');
  await writeFile(file, JSON.stringify({ months: ['2018-01'], takesMs: 1_500 }));

  const ingest = startCommand(t, ['ingest', file], { DATA_DIR: dataDir });
  await until('the extract begins', async () => (await calls()) === 'extract a.csv\n');
  const killedAt = Date.now();
  process.kill(await workerPid(dataDir), 'SIGKILL');
  await until(
    'the extract begins again',
    async () => (await calls()).split('extract a').length === 3,
    20_000,
  );
  t.true(Date.now() - killedAt < 20_000);

  t.is(await ingest.end, 0);
  t.is(await calls(), 'extract a.csv\nextract a.csv\nextracted a.csv\nload 2018-01\n');
  t.regex(ingest.err(), /worker ended \(SIGKILL\); restarted/);
});

/** The worker writes its process id into each line of its log. */
async function workerPid(dataDir: string): Promise<number> {
  const log = await readFile(join(dataDir, 'logs', 'worker.log'), 'utf8');
  const { pid } = JSON.parse(log.slice(0, log.indexOf('\n'))) as { pid: number };
  return pid;
}

test('a worker that starts with a store of an older layout builds and publishes it again', async (t) => {
  const { redis, queues, work } = await queueWorld(t);
  const client = openRedisClient(redis.url);
  t.teardown(() => client.disconnect());
  const done: string[] = [];
  const steps = {
    buildFeatures: async () => {
      done.push('built');
      return { rows: {}, checks: [] };
    },
    publishStore: async () => {
      done.push('published');
      return { version: 'v2', months: [], bytes: 0 };
    },
  };
  const startWorkerWith = async (layout: number | undefined) => {
    await client.set('hw:store:current', 'v1');
    await client.hset('hw:store:version:v1', 'manifest.json', `{"schemaVersion":${layout}}`);
    await work(steps, undefined, { redis: client });
  };
  // A newer layout is not replaced: other workers may already run a newer version.
  await startWorkerWith(STORE_SCHEMA_VERSION + 1);
  await startWorkerWith(STORE_SCHEMA_VERSION);
  await startWorkerWith(undefined);
  // A store that is the target of a rollback is not replaced.
  await client.hset('hw:store:withdrawn', { v0: 'content', v2: 'content' });
  await startWorkerWith(STORE_SCHEMA_VERSION - 1);
  t.deepEqual([await queues.queue('warehouse').count(), done], [0, []]);
  await client.hset('hw:store:withdrawn', 'v2', '');
  await startWorkerWith(STORE_SCHEMA_VERSION - 1);
  await until('the store is published', async () => done.length === 2);
  t.deepEqual(done, ['built', 'published']);
});

test('a store of an older layout is published after its build, even if a publish already waits', async (t) => {
  const { redis, queues } = await queueWorld(t);
  const client = openRedisClient(redis.url);
  t.teardown(() => client.disconnect());
  await client.set('hw:store:current', 'v1');
  const manifest = `{"schemaVersion":${STORE_SCHEMA_VERSION - 1}}`;
  await client.hset('hw:store:version:v1', 'manifest.json', manifest);
  await requestStep(queues, 'publish');
  await renewStore(queues, client, pino({ level: 'silent' }));
  // Another worker that starts now follows both jobs.
  await renewStore(queues, client, pino({ level: 'silent' }));
  const jobs = await queues.queue('warehouse').getJobs(['waiting'], 0, -1, true);
  t.deepEqual(
    jobs.map(({ name }) => name),
    ['publish', 'build-features', 'publish'],
  );
});
