import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { layoutInRedis } from '../../warehouse/store/redis.ts';
import { STORE_SCHEMA_VERSION } from '../../warehouse/store/tables.ts';
import type { Queues } from './queues.ts';
import { requestStep } from './requests.ts';

/**
 * Asks for what the score store is made of and for the store where an older Headwind made the one that is served: an API of now
 * refuses that when it starts. Where the worker that takes the jobs is an older one, too, the next that starts asks again.
 */
export async function renewStore(
  queues: Queues,
  redis: Pick<Redis, 'get' | 'hget'>,
  log: Pick<Logger, 'info'>,
): Promise<void> {
  const layout = await layoutInRedis(redis);
  if (layout === undefined || layout >= STORE_SCHEMA_VERSION) return;
  log.info(
    { layout, now: STORE_SCHEMA_VERSION },
    'the score store is of an older layout: publishing it anew',
  );
  await requestStep(queues, 'build-features');
  await requestStep(queues, 'publish');
}
