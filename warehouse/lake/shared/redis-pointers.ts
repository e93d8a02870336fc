import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { writeReplicated } from '../../replicated.ts';
import type { PointerMap } from './pointer-copies.ts';
import type { Unit } from './units.ts';

/** A move of a unit's pointer. `oldState` and `rev` are the state and revision that the writer saw. */
export type Move = { unit: Unit; oldState: string; newState: string; rev: number; id: string };

/** The pointers of a lake in Redis; `NO_POINTERS` if Redis has no pointers of the lake. */
export type RedisPointers = {
  readAll: () => Promise<PointerMap>;
  /** Returns the revision: the number of moves so far. */
  readRev: () => Promise<number>;
  /** Returns the revision and the state of a unit. */
  readUnit: (unit: Unit) => Promise<{ rev: number; text: string }>;
  /** Replaces all pointers with a copy, if they still equal `compared`. */
  adopt: (copy: PointerMap, compared: PointerMap) => Promise<void>;
  /**
   * Moves a unit's pointer and returns all pointers. Undefined if the unit has changed, or if Redis has an older
   * revision than the writer saw.
   */
  move: (move: Move) => Promise<PointerMap | undefined>;
};

export const NO_POINTERS: PointerMap = { rev: 0, id: '', units: {} };

const REV = '#rev';
const ID = '#id';

const MOVE = readFileSync(new URL('move.lua', import.meta.url), 'utf8');
const ADOPT = readFileSync(new URL('adopt.lua', import.meta.url), 'utf8');

/**
 * Opens the pointers in the hash `key`. `replicas` is the number of Redis replicas that must receive a write before it
 * returns.
 */
export function redisPointers(redis: Redis, key: string, replicas: number): RedisPointers {
  return {
    readAll: async () => parseMap(await redis.hgetall(key)),
    readRev: async () => Number((await redis.hget(key, REV)) ?? 0),
    readUnit: async (unit) => {
      const [rev, text] = await redis.hmget(key, REV, unit);
      return { rev: Number(rev ?? 0), text: text ?? '' };
    },
    adopt: async (copy, compared) => {
      const versions = [compared, copy].flatMap(({ rev, id }) => [rev, id]);
      const units = Object.entries(copy.units).flat();
      await writeReplicated(redis, replicas, (connection) =>
        connection.eval(ADOPT, 1, key, ...versions, ...units),
      );
    },
    move: async ({ unit, oldState, newState, rev, id }) => {
      const fields = await writeReplicated(redis, replicas, (connection) =>
        connection.eval(MOVE, 1, key, unit, oldState, newState, rev, id),
      );
      return Array.isArray(fields) ? parseMap(parsePairs(fields as string[])) : undefined;
    },
  };
}

function parseMap({
  [REV]: rev = '0',
  [ID]: id = '',
  ...units
}: Record<string, string>): PointerMap {
  return { rev: Number(rev), id, units };
}

function parsePairs(flat: string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let at = 0; at + 1 < flat.length; at += 2) pairs[flat[at] ?? ''] = flat[at + 1] ?? '';
  return pairs;
}
