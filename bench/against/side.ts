import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../jobs/config.ts';
import { openRedis } from '../../jobs/processes/redis-session.ts';
import { openQueues } from '../../jobs/queue/queues.ts';
import { requestLive } from '../../jobs/queue/requests.ts';
import { waitForPort, type ServerProcess } from '../stage/server-process.ts';
import type { Checkout } from './checkout.ts';

/**
 * A version with its own Redis. This Redis contains a store, a key and forecasts, which the version's own code wrote.
 */
export type Side = {
  apiKey: string;
  redisUrl: string;
  /** Starts the version's API. */
  start: () => Promise<ServerProcess>;
};

export type SideOptions = {
  checkout: Checkout;
  /** Folder for all its data. */
  dataDir: string;
  /** File of flights in the format of BTS. */
  history: string;
  /** Base address of the forecasts. */
  upstream: string;
};

const POLL_MS = 200;
const TIMEOUT_MS = 60_000;

/** Prepares a version with history, store, key and forecasts, and runs `work` while the version's Redis runs. */
export async function withSide<T>(
  options: SideOptions,
  work: (side: Side) => Promise<T>,
): Promise<T> {
  const { checkout, dataDir, history, upstream } = options;
  const session = await openRedis(readConfig({ DATA_DIR: dataDir }), 'against');
  const settings = {
    DATA_DIR: dataDir,
    REDIS_URL: session.url,
    WEATHER_FORECAST_URL: `${upstream}/forecast`,
    NEWS_FEEDS: '',
  };
  try {
    for (const step of [['ingest', history], ['features'], ['publish']]) {
      await checkout.run(step, settings);
    }
    const owner = ['--name', 'bench', '--email', 'bench@headwind.example', '--limit', '10000000'];
    const output = await checkout.run(['key', ...owner], settings);
    const [apiKey] = /hw_test_\w{32}/.exec(output) ?? [];
    if (apiKey === undefined) throw new Error(`found no key in the output: ${output}`);
    await fetchForecasts(checkout, settings);
    const start = () => startServer(checkout, settings);
    return await work({ apiKey, redisUrl: session.url, start });
  } finally {
    await session.close();
  }
}

/** Starts the API; it logs to a file, as under `make run`. */
async function startServer(
  { folder, nodeFlags, programOf }: Checkout,
  settings: { DATA_DIR: string },
): Promise<ServerProcess> {
  const [file, ...args] = programOf('serve');
  const log = openSync(path.join(settings.DATA_DIR, 'api.log'), 'a');
  const { PATH = '' } = process.env;
  const child = fork(file, args, {
    execPath: path.join(folder, 'node_modules/.bin/node'),
    execArgv: [...nodeFlags],
    stdio: ['ignore', log, log, 'ipc'],
    cwd: folder,
    env: { PATH, PORT: '0', ...settings },
  });
  closeSync(log);
  return waitForPort(child);
}

async function fetchForecasts(
  { folder, programOf }: Checkout,
  settings: { REDIS_URL: string },
): Promise<void> {
  const [file, ...args] = programOf('worker');
  const { PATH = '' } = process.env;
  const worker = fork(file, args, {
    execPath: path.join(folder, 'node_modules/.bin/node'),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    cwd: folder,
    env: { PATH, ...settings },
  });
  const queues = openQueues(settings.REDIS_URL);
  const until = Date.now() + TIMEOUT_MS;
  try {
    await requestLive(queues, 'refresh-weather');
    const live = queues.queue('live');
    while ((await live.getJobCounts('completed')).completed === 0) {
      if (Date.now() > until) {
        throw new Error(
          `the version in ${folder} fetched no forecasts within ${TIMEOUT_MS / 1_000} s`,
        );
      }
      await sleep(POLL_MS);
    }
  } finally {
    await queues.close();
    worker.kill('SIGTERM');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
  }
}
