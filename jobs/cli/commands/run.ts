import { join } from 'node:path';
import { NODE_FLAGS } from '../../processes/api-node-flags.ts';
import { superviseChild, type Child, type ChildWatch } from '../../processes/child.ts';
import { childLogFile } from '../../processes/child-log.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, InterruptedError } from '../../errors.ts';
import { openQueues } from '../../queue/queues.ts';
import { refuseUnsafeRedis } from '../../processes/redis-safety.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { claimRun } from '../run/claim.ts';
import { bannerText } from '../run/banner.ts';
import { provideDemoKey } from '../run/demo-key.ts';
import { loadAndPublish } from '../run/first-start.ts';
import { reportFirstStart } from '../run/report-start.ts';
import { findDueSeed, missingSeedHint } from '../run/seed-due.ts';
import { requestLiveInputs } from '../run/live-inputs.ts';
import { apiAddress, isServing, waitUntilAnswering, waitUntilServing } from '../run/health.ts';
import { findFreePort } from '../run/port.ts';
import { refreshLake } from '../lake-refresh.ts';
import { jobSession } from '../session.ts';
import { rejectOnAbort, onInterrupt } from '../../processes/signals.ts';
import { startWorkerChild } from '../worker-child.ts';
import { createEntryToken } from '../../../warehouse/live/ops-entry.ts';
import { connectOnce } from '../../processes/redis-client.ts';

/** Scripts that `run` starts and files that it reads; tests replace them. */
export type RunParts = { apiScript: string; seedFiles: string[] };

/** Time in which the API may finish open requests. */
const API_GRACE_MS = 12_000;
const WORKER_GRACE_MS = 12_000;

/** Starts the whole service, prints how to use the service, and keeps the service running until Ctrl-C or SIGTERM. */
export async function run(context: CommandContext, parts: RunParts): Promise<number> {
  const { config, err } = context;
  const claim = claimRun(config.dataDir);
  const abort = new AbortController();
  const ignoreSignals = onInterrupt((signal) => abort.abort(new InterruptedError(signal)));
  try {
    await refuseUnsafeRedis(config, (text) => err.write(text));
    const port = await findFreePort(config);
    claim.writePort(port);
    const redis = await openRedis(config, 'run');
    try {
      await serve({ ...context, config: { ...config, port } }, parts, redis.url, abort);
    } finally {
      await redis.close();
    }
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
  } finally {
    claim.release();
    ignoreSignals();
  }
  err.write('Headwind has stopped.\n');
  return 0;
}

/** Runs until it is interrupted or a child process keeps failing. Throws an error in both cases. */
async function serve(
  context: CommandContext,
  parts: RunParts,
  redisUrl: string,
  abort: AbortController,
): Promise<void> {
  const watch: ChildWatch = {
    onRestart: (why) => context.err.write(`${why}; restarted\n`),
    onGiveUp: (why) => abort.abort(new CommandError(why)),
  };
  const queues = openQueues(redisUrl);
  const stopReporting = await reportFirstStart(context.config, redisUrl);
  const workerChild = startWorkerChild(context, watch, { isService: true });
  const apiChild = startApi(context, parts.apiScript, redisUrl, watch);
  const start = async () => {
    await waitUntilAnswering(context.config, abort.signal);
    const session = jobSession(context, queues, abort.signal);
    await refreshLake(context);
    const isServed = await isServing(context.config, abort.signal);
    const due = await findDueSeed(context.config.dataDir, session, parts.seedFiles);
    if (!isServed || due !== undefined) {
      await loadAndPublish(context, session, due);
      await waitUntilServing(context.config, abort.signal);
    }
    stopReporting();
    const missing = await missingSeedHint(context.config.dataDir, parts.seedFiles);
    if (missing !== undefined) context.err.write(missing);
    const key = await provideDemoKey(context, redisUrl);
    const { offline, explorer: pages } = context.config;
    const address = apiAddress(context.config);
    const operate = await createOperateAddress(address, redisUrl);
    const facts = { address, operate, key, offline, explorer: pages !== undefined };
    context.out.write(bannerText({ ...facts, now: context.now() }));
    await requestLiveInputs(context, session);
  };
  try {
    // Queue calls wait while Redis is unreachable. `Promise.race` lets an interrupt end this wait.
    await Promise.race([start(), rejectOnAbort(abort.signal)]);
    await rejectOnAbort(abort.signal);
  } finally {
    stopReporting();
    await apiChild.stop(API_GRACE_MS);
    await workerChild.stop(WORKER_GRACE_MS);
    await queues.close();
  }
}

function startApi(
  { config, env, err }: CommandContext,
  script: string,
  redisUrl: string,
  watch: ChildWatch,
): Child {
  const logFile = childLogFile(config.dataDir, 'api');
  err.write(`Logs: ${logFile} and ${join(config.dataDir, 'logs', 'worker.log')}\n`);
  const settings = { DATA_DIR: config.dataDir, HOST: config.host, PORT: String(config.port) };
  return superviseChild(
    {
      name: 'API',
      script,
      args: ['serve'],
      nodeFlags: NODE_FLAGS,
      env: { ...env, ...settings, REDIS_URL: redisUrl },
      logFile,
    },
    watch,
  );
}

/** Creates a one-time address of the operators' pages. */
async function createOperateAddress(address: string, redisUrl: string): Promise<string> {
  const redis = await connectOnce(redisUrl, `headwind-ops-entry-${process.pid}`);
  try {
    return `${address}/ops/login?token=${await createEntryToken(redis)}`;
  } finally {
    redis.disconnect();
  }
}
