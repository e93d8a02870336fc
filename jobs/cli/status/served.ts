import type { Status } from './types.ts';

/** If this machine has no store because another machine published the store, returns the served version. */
export function servedFromElsewhere({
  store,
  redis,
}: Pick<Status, 'store' | 'redis'>): string | undefined {
  return redis.state === 'up' && store.version === undefined ? redis.storeVersion : undefined;
}
