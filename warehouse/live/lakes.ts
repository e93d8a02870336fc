import type { Redis } from 'ioredis';

/** A lake that workers of this Redis read and write, and one of the hosts that does. */
export type LakeAtWork = { id: string; host: string; dataDir: string; at: string };

/** Hash: id of the lake to the rest as JSON. */
const LAKES_KEY = 'hw:lakes';
/** A worker says it every minute. */
const ALIVE_MS = 5 * 60_000;

/** Says that a worker works on that lake. */
export async function noteLake(redis: Pick<Redis, 'hset'>, lake: LakeAtWork): Promise<void> {
  await redis.hset(LAKES_KEY, lake.id, JSON.stringify(lake));
}

/** A worker has ended; others that work on the lake say so again. */
export async function forgetLake(redis: Pick<Redis, 'hdel'>, id: string): Promise<void> {
  await redis.hdel(LAKES_KEY, id);
}

/** The lakes that workers said they work on within the last minutes. */
export async function lakesAtWork(redis: Pick<Redis, 'hvals'>, now: Date): Promise<LakeAtWork[]> {
  const lakes = (await redis.hvals(LAKES_KEY)).map((text) => JSON.parse(text) as LakeAtWork);
  return lakes
    .filter(({ at }) => now.getTime() - Date.parse(at) < ALIVE_MS)
    .toSorted((one, other) => one.id.localeCompare(other.id));
}
