import { join } from 'node:path';
import { NODE_FLAGS } from '../../processes/api-node-flags.ts';
import { superviseChild } from '../../processes/child.ts';
import type { Child, ChildWatch } from '../../processes/child.ts';
import { childLogFile } from '../../processes/child-log.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, InterruptedError } from '../../errors.ts';
import { openQueues } from '../../queue/queues.ts';
import { refuseLossy } from '../../processes/redis-safety.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { claimRun } from '../run/claim.ts';
import { bannerText } from '../run/banner.ts';
import { demoKey } from '../run/demo-key.ts';
import { firstStart } from '../run/first-start.ts';
import { seedDue, seedMissing } from '../run/seed-due.ts';
import { firstLiveInputs } from '../run/live-inputs.ts';
import { operateAddress } from '../run/operate-address.ts';
import { apiAddress, isServing, untilAnswering, untilServing } from '../run/health.ts';
import { freePort } from '../run/port.ts';
import { lakeAtHand } from '../lake-at-hand.ts';
import { jobSession } from '../session.ts';
import { aborted, onInterrupt } from '../../processes/signals.ts';
import { startWorkerChild } from '../worker-child.ts';

/** Scripts and files `run` starts or reads; a test puts its own here. */
export type RunParts = { apiScript: string; seedFiles: string[] };

/** The API finishes the requests under way. */
const API_GRACE_MS = 12_000;
const WORKER_GRACE_MS = 12_000;

/** Starts everything, prints how to use it, and keeps it running until Ctrl-C or SIGTERM. */
export async function run(context: CommandContext, parts: RunParts): Promise<number> {
  const { config, err } = context;
  const claim = claimRun(config.dataDir);
  const abort = new AbortController();
  const ignoreSignals = onInterrupt((signal) => abort.abort(new InterruptedError(signal)));
  try {
    await refuseLossy(config, (text) => err.write(text));
    const port = await freePort(config);
    claim.tell(port);
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
  err.write('stopped\n');
  return 0;
}

/** Never returns but by the error that ended it: an interrupt, or a child that cannot be kept running. */
async function serve(
  context: CommandContext,
  parts: RunParts,
  redisUrl: string,
  abort: AbortController,
): Promise<void> {
  const watch: ChildWatch = {
    restarted: (why) => context.err.write(`${why}; started again\n`),
    gaveUp: (why) => abort.abort(new CommandError(why)),
  };
  const queues = openQueues(redisUrl);
  const workerChild = startWorkerChild(context, watch);
  const apiChild = startApi(context, parts.apiScript, redisUrl, watch);
  const start = async () => {
    await untilAnswering(context.config, abort.signal);
    const session = jobSession(context, queues, abort.signal);
    await lakeAtHand(context);
    const isServed = await isServing(context.config, abort.signal);
    const due = await seedDue(context.config.dataDir, session, parts.seedFiles);
    if (!isServed || due !== undefined) {
      await firstStart(context, session, due);
      await untilServing(context.config, abort.signal);
    }
    const missing = await seedMissing(context.config.dataDir, parts.seedFiles);
    if (missing !== undefined) context.err.write(missing);
    const key = await demoKey(context, redisUrl);
    const { offline, explorer: pages } = context.config;
    const address = apiAddress(context.config);
    const operate = await operateAddress(address, redisUrl);
    const facts = { address, operate, key, offline, explorer: pages !== undefined };
    context.out.write(bannerText({ ...facts, now: context.now() }));
    await firstLiveInputs(context, session);
  };
  try {
    // A queue whose Redis is gone would wait for it; an interrupt does not.
    await Promise.race([start(), aborted(abort.signal)]);
    await aborted(abort.signal);
  } finally {
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
  const given = { DATA_DIR: config.dataDir, HOST: config.host, PORT: String(config.port) };
  return superviseChild(
    {
      name: 'API',
      script,
      args: ['serve'],
      nodeFlags: NODE_FLAGS,
      env: { ...env, ...given, REDIS_URL: redisUrl },
      logFile,
    },
    watch,
  );
}
