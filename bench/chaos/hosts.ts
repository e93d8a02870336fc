/**
 * `make chaos PART=hosts ROUNDS=3`: runs a backfill on workers of three hosts. Each host has its own folder; the lake
 * is shared. One host vanishes during a job; another is cut off and returns.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Redis } from 'ioredis';
import { follow } from '../../jobs/cli/follow.ts';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { requestBackfill } from '../../jobs/queue/backfill-jobs.ts';
import { openQueues } from '../../jobs/queue/queues.ts';
import { requestStep } from '../../jobs/queue/requests.ts';
import { openRedisClient } from '../../warehouse/ground/redis-address.ts';
import { currentVersion, readFromRedis } from '../../warehouse/store/redis.ts';
import { forkApi } from '../stage/api-process.ts';
import { onHosts, type Host, type Network } from '../stage/hosts.ts';
import { startSentinels } from '../stage/sentinels.ts';
import { startSwift, type SwiftStage } from '../stage/swift.ts';
import { randomFrom } from '../generate/random.ts';
import { writeShortMonth } from '../short-months.ts';
import { inSeconds } from './callers.ts';
import { countArgument } from './options.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03', '2025-04', '2025-05', '2025-06'];
/** Redis and sentinels run on hosts without workers, so that a cut affects only a worker. */
const [STORES, WORKERS] = [3, 3];
const ROWS = 50_000;
const CUT_MS = 20_000;
const BUCKET = 'lake';

const program = new Command('chaos-hosts')
  .description('check that hosts that vanish or are cut off only make a backfill slower')
  .option('--rounds <count>', 'number of rounds', countArgument, 3);
const { rounds } = program.parse().opts<{ rounds: number }>();

await onHosts(STORES + WORKERS, chaos);

async function chaos({ hosts, ownAddress }: Network): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-hosts-'));
  const stage = await startSentinels({ hosts: hosts.slice(0, STORES) });
  const machines = hosts.slice(STORES);
  const swift = await startSwift({ address: ownAddress });
  await swift.makeBucket(BUCKET);
  const line = progressLine('hosts', process.stderr);
  try {
    const source = path.join(folder, 'source');
    await mkdir(source);
    for (const month of MONTHS) await writeShortMonth(source, month, ROWS);
    const run = async (name: string, disturb?: (workers: ChildProcess[]) => Promise<void>) => {
      const round = { ...{ name, folder: path.join(folder, name), source }, url: stage.url };
      const startedAt = performance.now();
      const tables = await runBackfill({ ...round, machines, swift }, disturb);
      return { tables, ms: performance.now() - startedAt };
    };
    const calm = await run('calm');
    const random = randomFrom('hosts');
    let same = 0;
    const durations: number[] = [];
    for (let done = 1; done <= rounds; done += 1) {
      const [killAfter, cutAfter] = [random.next() * calm.ms, random.next() * calm.ms];
      const { tables, ms } = await run(`round-${done}`, async ([vanishing]) => {
        const cut = machines[1];
        const killing = sleep(killAfter).then(() => vanishing?.kill('SIGKILL'));
        await sleep(cutAfter);
        cut?.disconnect();
        await sleep(CUT_MS);
        cut?.reconnect();
        await killing;
      });
      durations.push(ms);
      if (tables === calm.tables) same += 1;
      else line.note(`round ${done}: the store differs from that of an undisturbed run`);
      line.show({ done, total: rounds, what: `${inSeconds(ms)} s` });
    }
    line.end();
    console.log(
      `${same} of ${rounds} backfills of ${MONTHS.length} months over ${WORKERS} hosts, one killed and one cut off for ` +
        `${inSeconds(CUT_MS)} s, published the same as an undisturbed one; ${inSeconds(Math.max(...durations))} s at most, undisturbed ${inSeconds(calm.ms)} s`,
    );
    return same === rounds ? 0 : 1;
  } finally {
    await stage.stop();
    await swift.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Round = {
  name: string;
  folder: string;
  url: string;
  source: string;
  machines: readonly Host[];
  swift: SwiftStage;
};

/** Backfills, builds and publishes with new workers and an empty Redis; returns the store's tables as text. */
async function runBackfill(
  { name, folder, url, source, machines, swift }: Round,
  disturb?: (workers: ChildProcess[]) => Promise<void>,
): Promise<string> {
  const redis = openRedisClient(url);
  redis.on('error', () => undefined);
  await redis.flushall();
  await mkdir(folder, { recursive: true });
  const settings = {
    REDIS_URL: url,
    LAKE_URL: `s3://${BUCKET}/${name}`,
    S3_ENDPOINT: swift.url,
    AWS_ACCESS_KEY_ID: swift.key.accessKeyId,
    AWS_SECRET_ACCESS_KEY: swift.key.secretAccessKey,
    ...{ OFFLINE: '1', LOG_LEVEL: 'fatal' },
  };
  const workers = machines.map(({ commandPrefix }, at) => {
    const [execPath, ...execArgv] = [...commandPrefix, process.execPath];
    const DATA_DIR = path.join(folder, `worker-${at}`);
    return forkApi(['worker'], { ...settings, DATA_DIR }, { execPath, execArgv });
  });
  const queues = openQueues(url);
  const disturbance = disturb?.(workers);
  try {
    const quiet = { show: () => undefined, note: () => undefined, end: () => undefined };
    const deps = { queues, line: quiet, signal: new AbortController().signal };
    const request = {
      months: MONTHS,
      source: { kind: 'folder' as const, path: source },
      force: false,
    };
    const { parent } = await requestBackfill(queues, request, path.join(folder, 'backfill.lock'));
    await follow(parent, deps);
    await follow(await requestStep(queues, 'build-features'), deps);
    await follow(await requestStep(queues, 'publish'), deps);
    await disturbance;
    return await storeTables(redis);
  } finally {
    await Promise.all(workers.map(killAndWait));
    await queues.close();
    redis.disconnect();
  }
}

async function storeTables(redis: Redis): Promise<string> {
  const version = await currentVersion(redis);
  if (version === undefined) throw new Error('nothing was published');
  const { manifest } = await readFromRedis(redis, version);
  return JSON.stringify([manifest.months, manifest.tables]);
}

async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
