import type { Redis } from 'ioredis';
import type { RebuildReport } from '../../../warehouse/build/reports.ts';
import { pendingMigrations } from '../../../warehouse/build/database-file.ts';
import { WarehouseTooNewError } from '../../../warehouse/errors.ts';
import { openRedisClient } from '../../../warehouse/ground/redis-address.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { currentVersion, layoutInRedis } from '../../../warehouse/store/redis.ts';
import { STORE_SCHEMA_VERSION } from '../../../warehouse/store/tables.ts';
import { CommandError } from '../../errors.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { connectedWorkers } from '../../queue/connected-workers.ts';
import { openQueues, type Queues } from '../../queue/queues.ts';
import { requestStep } from '../../queue/requests.ts';
import type { CommandContext } from '../context.ts';
import { type JobSession, withJobs } from '../session.ts';
import { countOf } from '../tables.ts';
import { backup } from './backup.ts';
import { buildFeatures, printBuild } from './features.ts';
import { printPublished, publishStore } from './publish.ts';

/** Differences between the data and this version of the code. */
type Gap = {
  /**
   * Migrations that the warehouse still needs; `newer` if the warehouse has migrations that this version does not know.
   */
  migrations: string[] | 'newer';
  /** Layout of the current store; undefined without a store. */
  layout: number | undefined;
};

export type UpgradeRequest = { to?: string; codeVersion: string };

/**
 * Moves the data to this version of the code: makes a backup, migrates the warehouse, and publishes the store in the
 * layout of this version. Running APIs of the former version answer from memory during the move. To go back, run the
 * same command with the former version of the code: it rebuilds the warehouse from the lake. Refuses to start while
 * workers run. Returns 1 if the backup found damage or a check stops the publish.
 */
export async function upgrade(
  context: CommandContext,
  { to, codeVersion }: UpgradeRequest,
): Promise<number> {
  const gap = await readGap(context);
  context.out.write(`${gapText(gap)}\n`);
  const code = await backup(context, { ...(to !== undefined && { to }), codeVersion });
  if (code !== 0) {
    context.err.write('Nothing was changed, because the backup is not complete\n');
    return code;
  }
  return withJobs(context, 'upgrade', async (session) => {
    const report = await buildFor(gap, session);
    const verdict = printBuild(context, report);
    if (verdict !== 0) return verdict;
    printPublished(context, await publishStore(session));
    context.out.write(NEXT_STEPS);
    return 0;
  });
}

const NEXT_STEPS = `Next: start the worker, then restart the APIs one after the other. An API that still runs answers from its memory.
To go back: stop the worker, check out the former version, npm ci, make upgrade, then start and restart as above.
`;

/**
 * Reads the differences between the data and this version of the code. Throws if a worker runs, because that worker
 * would run the jobs of the upgrade.
 */
async function readGap({ config }: CommandContext): Promise<Gap> {
  const session = await openRedis(config, 'upgrade');
  const queues = openQueues(session.url);
  const redis = openRedisClient(session.url, { connectionName: `headwind-upgrade-${process.pid}` });
  redis.on('error', () => undefined);
  try {
    await refuseWorkers(queues);
    const { warehouseFile } = dataPaths(config.dataDir);
    return { migrations: await missingMigrations(warehouseFile), layout: await layoutOf(redis) };
  } finally {
    redis.disconnect();
    await queues.close();
    await session.close();
  }
}

async function refuseWorkers(queues: Queues): Promise<void> {
  const workers = await connectedWorkers(queues);
  if (workers.length === 0) return;
  const names = workers.map(({ host, pid }) => `process ${pid} on ${host}`).join(', ');
  throw new CommandError(
    `Nothing was changed, because ${countOf(workers.length, 'worker')} would run the jobs of the upgrade: ${names}. Stop the workers first, for example: systemctl stop headwind-worker. APIs continue to answer`,
  );
}

async function missingMigrations(warehouseFile: string): Promise<Gap['migrations']> {
  try {
    return await pendingMigrations(warehouseFile);
  } catch (error) {
    if (error instanceof WarehouseTooNewError) return 'newer';
    throw error;
  }
}

async function layoutOf(redis: Pick<Redis, 'get' | 'hget'>): Promise<number | undefined> {
  const version = await currentVersion(redis);
  return version === undefined ? undefined : layoutInRedis(redis, version);
}

function gapText({ migrations, layout }: Gap): string {
  const warehouse =
    migrations === 'newer'
      ? 'has tables of a newer version: it is rebuilt from the lake'
      : migrations.length === 0
        ? 'has the tables of this version'
        : `gets ${migrations.join(', ')}`;
  const store =
    layout === undefined
      ? 'is published for the first time'
      : `has layout ${layout}, and this version reads layout ${STORE_SCHEMA_VERSION}`;
  return `Warehouse ${warehouse}\nStore     ${store}`;
}

/** Builds the features. A warehouse with tables of a newer version is rebuilt from the lake. */
async function buildFor({ migrations }: Gap, session: JobSession) {
  if (migrations !== 'newer') return buildFeatures(session);
  return session.follow<RebuildReport>(await requestStep(session.queues, 'rebuild'), 'rebuild');
}
