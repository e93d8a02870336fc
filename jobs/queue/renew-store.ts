import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { currentVersion, layoutInRedis } from '../../warehouse/store/redis.ts';
import { STORE_SCHEMA_VERSION } from '../../warehouse/store/tables.ts';
import { isRollbackTarget } from '../../warehouse/store/withdrawn.ts';
import type { Queues } from './queues.ts';
import { requestStep } from './requests.ts';

const OLDER_LAYOUT = 'the score store has an older layout';

/**
 * Requests a build and a publish if the current score store has an older layout, because an API of this version refuses
 * such a store when it starts. If a worker of the older version takes these jobs, the next worker that starts requests
 * them again. Requests nothing if the current store is the target of a rollback, because a build would publish the
 * withdrawn content again.
 */
export async function renewStore(
  queues: Queues,
  redis: Pick<Redis, 'get' | 'hget' | 'hgetall'>,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const version = await currentVersion(redis);
  if (version === undefined) return;
  const layout = await layoutInRedis(redis, version);
  const facts = { version, layout, reads: STORE_SCHEMA_VERSION };
  if (layout === undefined) {
    log.warn(
      facts,
      'the score store in Redis cannot be read: run make features, then make publish',
    );
    return;
  }
  if (layout >= STORE_SCHEMA_VERSION) return;
  if (await isRollbackTarget(version, redis)) {
    log.warn(
      facts,
      `${OLDER_LAYOUT}. It was not replaced, because a rollback chose this version. To replace it, run make features, then make publish`,
    );
    return;
  }
  log.info(facts, `${OLDER_LAYOUT}: publishing it again`);
  const { id: after } = await requestStep(queues, 'build-features');
  // The request for the publish gets a new id. Without a new id, the request would follow a publish that already waits.
  // This older publish would run before the build.
  await requestStep(queues, 'publish', { after });
}
