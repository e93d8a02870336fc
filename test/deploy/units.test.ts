import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import test, { type ExecutionContext } from 'ava';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import { aKey, aKeystore } from '../api/helpers/keystore.ts';
import { listeningSocket } from '../helpers/listening-socket.ts';
import { scrapeUntil, sumSamples } from '../helpers/scrape.ts';
import { someStoreFiles } from '../helpers/store-files.ts';
import { readUnit, startUnit } from '../helpers/systemd-unit.ts';
import { until } from '../jobs/helpers/command.ts';
import { tempDir } from '../jobs/helpers/temp-dir.ts';

/** Prepares a machine's systemd units in temporary folders. The processes of the units end with the test. */
async function prepareMachine(t: ExecutionContext) {
  const folder = await tempDir(t);
  const folders = { state: join(folder, 'state'), run: join(folder, 'run') };
  for (const place of ['state/headwind', 'state/headwind-redis', 'run/headwind-redis']) {
    await mkdir(join(folder, place), { recursive: true });
  }
  const socket = await listeningSocket();
  const metrics = await listeningSocket();
  metrics.close();
  t.teardown(socket.close);
  const units = {
    redis: () => startUnit(readUnit('headwind-redis.service', folders)),
    api: () => startUnit(readUnit('headwind-api.service', folders), { METRICS_PORT: '0' }, socket),
    worker: () => {
      const unit = readUnit('headwind-worker.service', folders);
      return startUnit(unit, { OFFLINE: '1', WORKER_METRICS_PORT: String(metrics.port) });
    },
  };
  const running = new Map<keyof typeof units, ChildProcess>();
  const start = (name: keyof typeof units) => void running.set(name, units[name]());
  const end = async (name: keyof typeof units, signal: NodeJS.Signals) => {
    const child = running.get(name);
    if (!child || hasEnded(child)) return;
    const exit = once(child, 'exit');
    // Like systemd with KillMode=mixed: a kill reaches the whole unit, a stop only its main process.
    process.kill(signal === 'SIGKILL' ? -child.pid! : child.pid!, signal);
    await exit;
  };
  const hasEnded = (child: ChildProcess | undefined) =>
    child === undefined || child.exitCode !== null || child.signalCode !== null;
  const restart = (name: keyof typeof units) => {
    if (hasEnded(running.get(name))) start(name);
  };
  const kill = () => Promise.all([...running.keys()].map((name) => end(name, 'SIGKILL')));
  t.teardown(kill);
  const redisUrl = join(folders.run, 'headwind-redis', 'redis.sock');
  const archiveFile = join(folders.state, 'headwind/archive/keys.jsonl');
  return {
    redisUrl,
    archiveFile,
    port: socket.port,
    metricsPort: metrics.port,
    start,
    restart,
    end,
    kill,
  };
}

/** Returns the status of a call on a new connection, or the error code if there was no answer. */
function readStatus(port: number, path: string): Promise<number | string> {
  return new Promise((resolve) => {
    const call = request({ port, path, agent: false, timeout: 60_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
      .on('timeout', () => call.destroy());
    call.end();
  });
}

test('the units serve, restart without refusing a connection, and recover after all are killed', async (t) => {
  const machine = await prepareMachine(t);
  const { redisUrl, archiveFile, port, metricsPort, start, restart, end, kill } = machine;
  start('redis');
  const { keys, redis } = await aKeystore(t, redisUrl);
  await saveToRedis(redis, await someStoreFiles());
  const { apiKey } = await aKey(keys, 100_000, new Date());
  const airlines = `/api/airlines?origin=JFK&dest=LAX&api_key=${apiKey}`;
  start('worker');
  start('api');
  await until('the API serves', async () => (await readStatus(port, airlines)) === 200);
  await scrapeUntil(
    metricsPort,
    'the worker takes jobs',
    (statuses) => sumSamples(statuses, 'headwind_queue_workers') >= 3,
  );

  const archived = await readFile(archiveFile, 'utf8');
  t.true(archived.includes(apiKey.slice(0, 14)), 'keys are archived at once in a new folder');

  const load = new AbortController();
  const statuses: (number | string)[] = [];
  let longestMs = 0;
  const callers = Array.from({ length: 4 }, async () => {
    while (!load.signal.aborted) {
      const startedAt = performance.now();
      statuses.push(await readStatus(port, '/openapi.json'));
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
  });
  await until('load', () => statuses.length > 20);
  const stoppedAt = performance.now();
  await end('api', 'SIGTERM');
  t.log(`stopped in ${Math.round(performance.now() - stoppedAt)} ms`);
  start('api');
  await until('the API serves again', async () => (await readStatus(port, airlines)) === 200);
  load.abort();
  await Promise.all(callers);
  t.deepEqual(
    statuses.filter((status) => status !== 200),
    [],
  );
  t.log(`${statuses.length} calls, the longest took ${Math.round(longestMs)} ms`);

  await kill();
  for (const name of ['worker', 'api', 'redis'] as const) start(name);
  await until('the key works again', async () => (await readStatus(port, airlines)) === 200);
  // The worker cannot start before Redis. The test therefore restarts the worker until it starts, as systemd does with
  // Restart=always.
  await until('the worker runs again', async () => {
    restart('worker');
    return fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
      (answer) => answer.ok,
      () => false,
    );
  });
});
