import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { replicated } from '../../replicated.ts';
import type { PointerMap } from './pointer-copies.ts';
import type { Unit } from './units.ts';

/** What a writer saw of a unit and of all pointers, and what the unit is to be. */
export type Move = { unit: Unit; seen: string; next: string; rev: number; id: string };

/** The pointers of a lake as Redis has them; `NO_POINTERS` where it has none. */
export type RedisPointers = {
  all: () => Promise<PointerMap>;
  /** How many moves there were. */
  rev: () => Promise<number>;
  /** The same, and the state of a unit. */
  unit: (unit: Unit) => Promise<{ rev: number; text: string }>;
  /** Takes a copy over, unless the pointers are no longer those it was compared with. */
  adopt: (copy: PointerMap, compared: PointerMap) => Promise<void>;
  /** All pointers after the move; undefined where the unit, or all pointers, are not as the writer saw them. */
  move: (move: Move) => Promise<PointerMap | undefined>;
};

export const NO_POINTERS: PointerMap = { rev: 0, id: '', units: {} };

const REV = '#rev';
const ID = '#id';

const MOVE = readFileSync(new URL('move.lua', import.meta.url), 'utf8');
const ADOPT = readFileSync(new URL('adopt.lua', import.meta.url), 'utf8');

/** The hash of that key; a write returns once so many replicas have it. */
export function redisPointers(redis: Redis, key: string, replicas: number): RedisPointers {
  return {
    all: async () => mapOf(await redis.hgetall(key)),
    rev: async () => Number((await redis.hget(key, REV)) ?? 0),
    unit: async (unit) => {
      const [rev, text] = await redis.hmget(key, REV, unit);
      return { rev: Number(rev ?? 0), text: text ?? '' };
    },
    adopt: async (copy, compared) => {
      const versions = [compared, copy].flatMap(({ rev, id }) => [rev, id]);
      const units = Object.entries(copy.units).flat();
      await replicated(redis, replicas, (own) => own.eval(ADOPT, 1, key, ...versions, ...units));
    },
    move: async ({ unit, seen, next, rev, id }) => {
      const fields = await replicated(redis, replicas, (own) =>
        own.eval(MOVE, 1, key, unit, seen, next, rev, id),
      );
      return Array.isArray(fields) ? mapOf(pairsOf(fields as string[])) : undefined;
    },
  };
}

function mapOf({ [REV]: rev = '0', [ID]: id = '', ...units }: Record<string, string>): PointerMap {
  return { rev: Number(rev), id, units };
}

function pairsOf(flat: string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let at = 0; at + 1 < flat.length; at += 2) pairs[flat[at] ?? ''] = flat[at + 1] ?? '';
  return pairs;
}
