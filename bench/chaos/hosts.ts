/**
 * `make chaos PART=hosts ROUNDS=3`: a back-fill over workers on three hosts, each with a folder of its own and one lake in
 * common; one vanishes in mid-job, one is cut off and comes back.
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
/** Sentinels and servers have hosts of their own, so that what is cut off is a worker. */
const [STORES, WORKERS] = [3, 3];
const ROWS = 50_000;
const CUT_MS = 20_000;
const BUCKET = 'lake';

const program = new Command('chaos-hosts')
  .description('see that hosts that vanish or are cut off cost a back-fill nothing but time')
  .option('--rounds <count>', 'how many times', countArgument, 3);
const { rounds } = program.parse().opts<{ rounds: number }>();

await onHosts(STORES + WORKERS, chaos);

async function chaos({ hosts, outside }: Network): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-hosts-'));
  const stage = await startSentinels({ hosts: hosts.slice(0, STORES) });
  const machines = hosts.slice(STORES);
  const swift = await startSwift({ address: outside });
  await swift.makeBucket(BUCKET);
  const line = progressLine('hosts', process.stderr);
  try {
    const source = path.join(folder, 'source');
    await mkdir(source);
    for (const month of MONTHS) await writeShortMonth(source, month, ROWS);
    const run = async (name: string, hurt?: (workers: ChildProcess[]) => Promise<void>) => {
      const round = { ...{ name, folder: path.join(folder, name), source }, url: stage.url };
      const startedAt = performance.now();
      const tables = await backfilled({ ...round, machines, swift }, hurt);
      return { tables, ms: performance.now() - startedAt };
    };
    const calm = await run('calm');
    const random = randomFrom('hosts');
    let held = 0;
    const took: number[] = [];
    for (let done = 1; done <= rounds; done += 1) {
      const [killAfter, cutAfter] = [random.next() * calm.ms, random.next() * calm.ms];
      const { tables, ms } = await run(`round-${done}`, async ([vanishing]) => {
        const cut = machines[1];
        const killing = sleep(killAfter).then(() => vanishing?.kill('SIGKILL'));
        await sleep(cutAfter);
        cut?.cut();
        await sleep(CUT_MS);
        cut?.mend();
        await killing;
      });
      took.push(ms);
      if (tables === calm.tables) held += 1;
      else line.note(`round ${done}: another store than that of a calm run`);
      line.show({ done, total: rounds, what: `${inSeconds(ms)} s` });
    }
    line.end();
    console.log(
      `${held} of ${rounds} back-fills of ${MONTHS.length} months over ${WORKERS} hosts, one killed and one cut off for ` +
        `${inSeconds(CUT_MS)} s, published what a calm one does; ${inSeconds(Math.max(...took))} s at most, calm ${inSeconds(calm.ms)} s`,
    );
    return held === rounds ? 0 : 1;
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

/** Back-fills, builds and publishes with fresh workers and an empty Redis; the tables of the store, as text. */
async function backfilled(
  { name, folder, url, source, machines, swift }: Round,
  hurt?: (workers: ChildProcess[]) => Promise<void>,
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
  const workers = machines.map(({ through }, at) => {
    const [execPath, ...execArgv] = [...through, process.execPath];
    const DATA_DIR = path.join(folder, `worker-${at}`);
    return forkApi(['worker'], { ...settings, DATA_DIR }, { execPath, execArgv });
  });
  const queues = openQueues(url);
  const hurting = hurt?.(workers);
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
    await hurting;
    return await storeTables(redis);
  } finally {
    await Promise.all(workers.map(ended));
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

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
