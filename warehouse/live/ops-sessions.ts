import type { Redis } from 'ioredis';
import { sha256 } from '../ground/sha256.ts';

/** Sessions of operators, by the id in their cookie; they end by themselves. */
export type OpsSessions = {
  get: (id: string) => Promise<object | undefined>;
  set: (id: string, session: object, maxAgeMs: number) => Promise<void>;
  destroy: (id: string) => Promise<void>;
};

/** Sessions in Redis, so that every process of the API knows them. Of the id only its hash is kept, as of a key. */
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
