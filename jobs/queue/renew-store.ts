import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { currentVersion, layoutInRedis } from '../../warehouse/store/redis.ts';
import { STORE_SCHEMA_VERSION } from '../../warehouse/store/tables.ts';
import { isRolledBackTo } from '../../warehouse/store/withdrawn.ts';
import type { Queues } from './queues.ts';
import { requestStep } from './requests.ts';

/**
 * Asks for what the score store is made of and for the store where an older Headwind made the one that is served: an API of now
 * refuses that when it starts. Where the worker that takes the jobs is an older one, too, the next that starts asks again. Not
 * where the store was rolled back to: in another layout what was withdrawn counts as new.
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
    log.warn(facts, 'the score store in Redis cannot be read: publish anew');
    return;
  }
  if (layout >= STORE_SCHEMA_VERSION) return;
  if (await isRolledBackTo(version, redis)) {
    log.warn(facts, 'the score store is of an older layout, and was rolled back to: publish anew');
    return;
  }
  log.info(facts, 'the score store is of an older layout: publishing it anew');
  const { id: after } = await requestStep(queues, 'build-features');
  // A publish that waits already would come before the build.
  await requestStep(queues, 'publish', { after });
}
