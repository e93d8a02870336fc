/**
 * `make chaos PART=soak MINUTES=60`: runs a whole service under calls for an hour. News arrives every second. Every
 * half minute, a store is published or rolled back, and a key is rotated. Memory and descriptors of its processes must
 * stay flat.
 */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { createKeyAdmin } from '../../warehouse/keyring/key-admin.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { currentVersion } from '../../warehouse/store/redis.ts';
import { rollBack } from '../../warehouse/store/rollback.ts';
import { readUsage } from '../api/processes.ts';
import { forkApi, startApi, type ApiProcess } from '../stage/api-process.ts';
import { publishHistory } from '../trial-service.ts';
import { goodCount, unexpectedCount, startCallers } from './callers.ts';
import { countArgument } from './options.ts';
import { openPartStage } from './own-stage.ts';

type Sample = { residentMb: number; descriptors: number };

const MEMORY_REPORTER = new URL('memory-reporter.ts', import.meta.url).href;
const APIS = 2;
/** Pause between two calls. About 150 calls a second leave time for other programs on the machine. */
const CALL_PAUSE_MS = 25;
const EVENT_MS = 30_000;
const UNLIMITED = 1_000_000_000;
/**
 * Limit for the memory of a process in the last third of the run, as a multiple of its memory in the second third. The
 * first third is for warming up. The memory of a third is its minimum, which is the memory after garbage collection.
 */
const MEMORY_MAX = 1.1;
const DESCRIPTORS_MAX = 4;

const program = new Command('chaos-soak')
  .description('check that memory and descriptors stay flat')
  .option('--minutes <count>', 'duration', countArgument, 60)
  .option('--keep <folder>', 'folder for the samples, which then remain');
const values = program.parse().opts<{ minutes: number; keep?: string }>();
const { minutes } = values;

const { folder, redis, url, close } = await openPartStage('soak');
const dataDir = path.join(folder, 'data');
const apis: ApiProcess[] = [];
const memoryDir = values.keep ?? path.join(folder, 'memory');
await mkdir(memoryDir, { recursive: true });
const settings = {
  REDIS_URL: url,
  LOG_LEVEL: 'info',
  OFFLINE: '1',
  MEMORY_FOLDER: memoryDir,
  NODE_OPTIONS: `--import=${MEMORY_REPORTER} --heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${memoryDir}`,
};
const worker = forkApi(['worker'], {
  ...settings,
  DATA_DIR: dataDir,
  SCHEDULE_NEWS: '* * * * * *',
});
worker.stdout?.resume();
worker.stderr?.resume();
try {
  await mkdir(dataDir, { recursive: true });
  await publishHistory(dataDir, url, '2025-06');
  await publishHistory(dataDir, url, '2025-07');
  for (let at = 0; at < APIS; at += 1) {
    const logFile = path.join(folder, `api-${at}.log`);
    apis.push(
      await startApi({ ...settings, DATA_DIR: path.join(folder, `api-${at}`) }, { logFile }),
    );
  }
  await Promise.all(apis.map((api) => api.untilHealthy()));
  process.exitCode = await soak();
} finally {
  await Promise.all(apis.map(({ stop }) => stop()));
  worker.kill('SIGKILL');
  await close();
}

async function soak(): Promise<number> {
  const keys = createKeystore(redis, { deadlineMs: 10_000 });
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
  const { apiKey, prefix } = await keys.create(owner, 'test', new Date());
  const newest = await currentVersion(redis);
  const office = createKeyAdmin(redis);
  const pids = { api: apis[0]?.pid ?? 0, 'second api': apis[1]?.pid ?? 0, worker: worker.pid ?? 0 };
  const samples: Record<string, Sample[]> = {};
  const callers = startCallers(
    apis.map(({ address }) => address),
    apiKey,
    CALL_PAUSE_MS,
  );
  const line = progressLine('soak', process.stderr);
  const total = minutes * 2;
  // The callers keep using the first key. It stays valid after its rotation, until well after the end of the run.
  const until = new Date(Date.now() + 2 * total * EVENT_MS);
  let current = prefix;
  for (let done = 1; done <= total; done += 1) {
    await sleep(EVENT_MS);
    await (done % 2 === 0 ? rollBack(storeDir(), redis, newest) : rollBack(storeDir(), redis));
    const fresh = await office.rotate(current, until, new Date());
    if (fresh && !('refusal' in fresh)) current = fresh.prefix;
    for (const [name, pid] of Object.entries(pids)) {
      (samples[name] ??= []).push(await takeSample(pid));
    }
    line.show({ done, total, what: `${callers.answers.length} calls` });
  }
  line.end();
  const answers = await callers.stop();
  const good = goodCount(answers);
  const counted = (await keys.usage(apiKey, new Date())).monthCount;
  const verdicts = Object.entries(samples).map(([name, series]) => judgeSamples(name, series));
  for (const { text } of verdicts) console.log(text);
  const unexpected = unexpectedCount(answers);
  console.log(
    `${good} of ${answers.length} calls answered, ${unexpected} with a status other than 200 and 503, ${counted} counted, ${minutes} min`,
  );
  // On a busy machine, a call may exceed its deadline for Redis. It then gets a 503 and may still be counted.
  const isCounted = counted >= good && counted <= answers.length && unexpected === 0;
  return isCounted && verdicts.every(({ isFlat }) => isFlat) ? 0 : 1;
}

function storeDir(): string {
  return dataPaths(dataDir).storeDir;
}

async function takeSample(pid: number): Promise<Sample> {
  const { residentMb } = await readUsage(pid);
  return { residentMb, descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}

function judgeSamples(name: string, samples: readonly Sample[]): { text: string; isFlat: boolean } {
  const third = Math.ceil(samples.length / 3);
  const minimum = (part: keyof Sample, from: number) =>
    Math.min(...samples.slice(from, from + third).map((sample) => sample[part]));
  const last = samples.length - third;
  const [before, after] = [minimum('residentMb', third), minimum('residentMb', last)];
  const [fewer, more] = [minimum('descriptors', third), minimum('descriptors', last)];
  const isFlat = after <= before * MEMORY_MAX && more <= fewer + DESCRIPTORS_MAX;
  const memory = `at least ${Math.round(before)} MB in the second third, ${Math.round(after)} MB in the last`;
  return {
    text: `${name}: ${isFlat ? 'flat' : 'GROWS'}; ${memory}; descriptors ${fewer}, ${more}`,
    isFlat,
  };
}
