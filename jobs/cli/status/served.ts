import type { Status } from './types.ts';

/** Returns the served version if this machine has no store, because another machine published it. */
export function servedFromElsewhere({
  store,
  redis,
}: Pick<Status, 'store' | 'redis'>): string | undefined {
  return redis.state === 'up' && store.version === undefined ? redis.storeVersion : undefined;
}
