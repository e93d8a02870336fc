/**
 * `make chaos PART=memory`: runs a worker with little memory, and starts it again whenever it is killed, as systemd
 * does. A job that needs more memory fails with a clear message, other work continues, and the job completes when the
 * memory limit is removed.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { follow } from '../../jobs/cli/follow.ts';
import { openQueues } from '../../jobs/queue/queues.ts';
import { requestFile, requestStep } from '../../jobs/queue/requests.ts';
import { btsFileName } from '../../pipelines/flights/months.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { fileSha256 } from '../../warehouse/ground/hashes.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import { startApi } from '../stage/api-process.ts';
import { publishHistory } from '../trial-service.ts';
import { goodCount, inSeconds, startCallers } from './callers.ts';
import { openPartStage } from './own-stage.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../jobs/main.ts');
const MONTH = '2025-01';
const ROWS = 600_000;
const RESTART_MS = 1_000;
const CALL_PAUSE_MS = 50;
const UNLIMITED = 1_000_000_000;
/**
 * Two memory limits in MB. The first is a little more than an idle worker needs. The second is a fraction of the memory
 * that loading the month takes without a limit.
 */
const CAPS = [210, 260];

new Command('chaos-memory')
  .description('check that a worker with little memory fails at most its own job')
  .parse();

const isCgroupV2 = existsSync('/sys/fs/cgroup/cgroup.procs');
const group = `/sys/fs/cgroup/${isCgroupV2 ? '' : 'memory/'}hw-memory-${process.pid}`;
const isMade = await mkdir(group).then(
  () => true,
  () => false,
);
if (isMade) {
  process.exitCode = await chaos();
  await sleep(RESTART_MS);
  await rmdir(group).catch(() => undefined);
} else {
  console.error('memory is left out: this machine allows no control group for memory');
}

async function chaos(): Promise<number> {
  const { folder, redis, url, close } = await openPartStage('memory');
  const dataDir = path.join(folder, 'data');
  await mkdir(dataDir);
  await publishHistory(dataDir, url, '2025-06');
  const file = path.join(folder, btsFileName(MONTH));
  await writeBtsMonth(file, { month: MONTH, rows: ROWS });
  const keys = createKeystore(redis, { deadlineMs: 10_000 });
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
  const { apiKey } = await keys.create(owner, 'test', new Date());
  const api = await startApi({ REDIS_URL: url, DATA_DIR: path.join(folder, 'api') });
  await api.untilHealthy();
  const callers = startCallers([api.address], apiKey, CALL_PAUSE_MS);
  let isFulfilled = true;
  try {
    for (const cap of [...CAPS, undefined]) {
      await setLimit(cap);
      const worker = startRestartingWorker({ REDIS_URL: url, DATA_DIR: dataDir, OFFLINE: '1' });
      const from = performance.now();
      const failure = await loadMonth(url, file);
      await worker.stop();
      const seconds = inSeconds(performance.now() - from);
      const capText = cap === undefined ? 'without a cap' : `${cap} MB`;
      console.log(
        `${capText}: ${failure ?? 'completed'}, ${seconds} s, worker killed ${worker.kills()} times`,
      );
      if (cap === undefined && failure !== undefined) isFulfilled = false;
    }
    const answers = await callers.stop();
    console.log(`${goodCount(answers)} of ${answers.length} calls answered meanwhile`);
    return isFulfilled && goodCount(answers) === answers.length ? 0 : 1;
  } finally {
    await callers.stop();
    await api.stop();
    await close();
  }
}

/** Loads the month, builds and publishes; returns the message of a failed job. */
async function loadMonth(url: string, file: string): Promise<string | undefined> {
  const queues = openQueues(url);
  const line = { show: () => undefined, note: () => undefined, end: () => undefined };
  const deps = { queues, line, signal: new AbortController().signal };
  try {
    const sha256 = await fileSha256(file);
    const { extract, load } = await requestFile(queues, { path: file, sha256, force: true });
    await follow(extract, deps);
    await follow(load, deps);
    await follow(await requestStep(queues, 'build-features'), deps);
    await follow(await requestStep(queues, 'publish'), deps);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await queues.close();
  }
}

async function setLimit(megabytes: number | undefined): Promise<void> {
  const unlimited = isCgroupV2 ? 'max' : '-1';
  const bytes = megabytes === undefined ? unlimited : String(megabytes * 1_000_000);
  await writeFile(path.join(group, isCgroupV2 ? 'memory.max' : 'memory.limit_in_bytes'), bytes);
}

/** Starts a worker in the control group, and again whenever it ends, until stopped. */
function startRestartingWorker(env: Record<string, string>) {
  let kills = 0;
  let child: ChildProcess | undefined;
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const joining = `echo $$ > ${group}/cgroup.procs; exec "$@"`;
      const { PATH } = process.env;
      child = spawn('sh', ['-c', joining, 'sh', process.execPath, PROGRAM, 'worker'], {
        env: { PATH, LOG_LEVEL: 'fatal', ...env },
        stdio: 'ignore',
      });
      await once(child, 'exit');
      if (stopping.signal.aborted) return;
      kills += 1;
      await sleep(RESTART_MS);
    }
  })();
  return {
    kills: () => kills,
    stop: async () => {
      stopping.abort();
      child?.kill('SIGKILL');
      await running;
    },
  };
}
