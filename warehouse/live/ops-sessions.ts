import type { Redis } from 'ioredis';
import { sha256 } from '../ground/sha256.ts';

/** Operators' sessions, by the id in their cookie. Sessions expire. */
export type OpsSessions = {
  get: (id: string) => Promise<object | undefined>;
  set: (id: string, session: object, maxAgeMs: number) => Promise<void>;
  destroy: (id: string) => Promise<void>;
};

/** Stores sessions in Redis, for all API processes. Only the hash of an id is stored. */
export function opsSessions(redis: Redis): OpsSessions {
  const keyOf = (id: string) => `hw:ops:session:${sha256(id)}`;
  return {
    get: async (id) => {
      const text = await redis.get(keyOf(id));
      return text === null ? undefined : (JSON.parse(text) as object);
    },
    set: async (id, session, maxAgeMs) => {
      await redis.set(keyOf(id), JSON.stringify(session), 'PX', maxAgeMs);
    },
    destroy: async (id) => void (await redis.del(keyOf(id))),
  };
}
