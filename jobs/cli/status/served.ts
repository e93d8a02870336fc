import type { Status } from './types.ts';

/** Returns the version that is served if this machine has no store. Another machine published this version. */
export function servedFromElsewhere({
  store,
  redis,
}: Pick<Status, 'store' | 'redis'>): string | undefined {
  return redis.state === 'up' && store.version === undefined ? redis.storeVersion : undefined;
}
