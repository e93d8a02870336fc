import type { Redis } from 'ioredis';

/** A lake in use by workers of this Redis, and one of the hosts that use it. */
export type ActiveLake = { id: string; host: string; dataDir: string; at: string };

/** Hash that maps the id of a lake to the other fields as JSON. */
const LAKES_KEY = 'hw:lakes';
/** Each worker renews the entry of its lake every minute. */
const ALIVE_MS = 5 * 60_000;

/** Records that a worker uses the lake. */
export async function recordActiveLake(
  redis: Pick<Redis, 'hset'>,
  lake: ActiveLake,
): Promise<void> {
  await redis.hset(LAKES_KEY, lake.id, JSON.stringify(lake));
}

/** Removes the entry of a lake when a worker ends. If other workers use that lake, they renew the entry. */
export async function removeActiveLake(redis: Pick<Redis, 'hdel'>, id: string): Promise<void> {
  await redis.hdel(LAKES_KEY, id);
}

/** Reads the lakes that workers have used within the last 5 minutes. */
export async function readActiveLakes(
  redis: Pick<Redis, 'hvals'>,
  now: Date,
): Promise<ActiveLake[]> {
  const lakes = (await redis.hvals(LAKES_KEY)).map((text) => JSON.parse(text) as ActiveLake);
  return lakes
    .filter(({ at }) => now.getTime() - Date.parse(at) < ALIVE_MS)
    .toSorted((a, b) => a.id.localeCompare(b.id));
}
