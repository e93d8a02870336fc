import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../jobs/config.ts';
import { openRedis } from '../../jobs/processes/redis-session.ts';
import { openQueues } from '../../jobs/queue/queues.ts';
import { requestLive } from '../../jobs/queue/requests.ts';
import { listening, type ServerProcess } from '../stage/server-process.ts';
import type { Checkout } from './checkout.ts';

/** A version that answers: a store, a key and forecasts of its own making, on a Redis of its own. */
export type Side = { server: ServerProcess; apiKey: string; redisUrl: string };

export type SideOptions = {
  checkout: Checkout;
  /** Everything it keeps is below it. */
  dataDir: string;
  /** Flights in the form of BTS. */
  history: string;
  /** Base address of forecasts. */
  upstream: string;
};

const LOOK_MS = 200;
const PATIENCE_MS = 60_000;

/** Has a version load the history, publish, make a key, fetch forecasts and answer; and then ends all of it. */
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
    const said = await checkout.run(['key', ...owner], settings);
    const [apiKey] = /hw_test_\w{32}/.exec(said) ?? [];
    if (apiKey === undefined) throw new Error(`no key in: ${said}`);
    const server = await startServer(checkout, settings);
    try {
      await fetchForecasts(checkout, settings);
      return await work({ server, apiKey, redisUrl: session.url });
    } finally {
      await server.stop();
    }
  } finally {
    await session.close();
  }
}

/** It prints to a file, as under `make run`. */
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
  return listening(child);
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
  const until = Date.now() + PATIENCE_MS;
  try {
    await requestLive(queues, 'refresh-weather');
    const live = queues.queue('live');
    while ((await live.getJobCounts('completed')).completed === 0) {
      if (Date.now() > until) throw new Error(`no forecasts in ${folder}`);
      await sleep(LOOK_MS);
    }
  } finally {
    await queues.close();
    worker.kill('SIGTERM');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
  }
}
