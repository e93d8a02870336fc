import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Objects, StoredObject } from '../../objects/objects.ts';
import { NoPointersError } from './errors.ts';
import {
  copyName,
  listCopies,
  newestCopy,
  readCopy,
  writeCopy,
  type PointerMap,
} from './pointer-copies.ts';
import { NO_POINTERS, redisPointers, type RedisPointers } from './redis-pointers.ts';
import type { Unit } from './units.ts';

/**
 * Which months of a shared lake count: a hash in Redis, moved by compare-and-set. Each move is acknowledged once a copy of all
 * pointers is beside the files. A Redis that was wiped, or came back older, takes the newest copy before anything moves.
 */
export type Pointers = {
  /** Whether Redis or a copy says which months count. A place that no lake was ever in has neither. */
  areKnown: () => Promise<boolean>;
  /** All pointers, at least as new as every copy. Throws `NoPointersError` where there are none. */
  all: () => Promise<PointerMap>;
  /** The text of a unit's state as Redis has it; empty when there is nothing of it. Throws as `all` does. */
  stateOf: (unit: Unit) => Promise<string>;
  /**
   * Whether the pointer was where the caller saw it, and is moved; a state that stays is checked in the same way. Throws when
   * the copy could not be written: the move is not acknowledged then, and counts all the same.
   */
  move: (unit: Unit, seen: string, next: string) => Promise<boolean>;
  /**
   * Makes an empty lake of a place without pointers. Throws `NoPointersError` where objects with one of these prefixes are
   * there: which of them count is lost.
   */
  begin: (prefixes: readonly string[]) => Promise<void>;
  /**
   * Brings Redis and the newest copy of the pointers together, where one of them is behind, and removes old copies. Returns
   * the pointers then; undefined where there are none.
   */
  settle: (isOld: (at: Date) => boolean) => Promise<PointerMap | undefined>;
};

/** Of the copies, whatever their age. */
const COPIES_KEPT = 5;

/** The pointers of the lake in that place; a move is acknowledged when so many replicas have it. */
export function createPointers(redis: Redis, objects: Objects, replicas: number): Pointers {
  const here = redisPointers(redis, `hw:lake:${objects.place}`, replicas);
  const areKnown = async () =>
    (await here.rev()) > 0 || (await reconciled(here, objects)).now.rev > 0;
  const all = async () => {
    const { now } = await reconciled(here, objects);
    if (now.rev === 0) throw new NoPointersError(objects.place);
    return now;
  };
  return {
    areKnown,
    all,
    stateOf: async (unit) => {
      const { rev, text } = await here.unit(unit);
      return rev > 0 ? text : ((await all()).units[unit] ?? '');
    },
    move: async (unit, seen, next) => {
      const { now, copies } = await reconciled(here, objects);
      if (seen === next) {
        if ((now.units[unit] ?? '') !== seen) return false;
        // The move to this state may have failed to write its copy.
        if (!copies.some(({ name }) => name === copyName(now))) await writeCopy(objects, now);
        return true;
      }
      const moved = await here.move({ unit, seen, next, rev: now.rev, id: randomUUID() });
      if (moved) await writeCopy(objects, moved);
      return moved !== undefined;
    },
    begin: async (prefixes) => {
      if (await areKnown()) return;
      for (const prefix of prefixes) {
        const [found] = await objects.list(prefix);
        if (!found) continue;
        throw new NoPointersError(objects.place, `it holds files, ${found.name} for one`);
      }
      const empty = { rev: 1, id: randomUUID(), units: {} };
      await writeCopy(objects, empty);
      await here.adopt(empty, NO_POINTERS);
    },
    settle: async (isOld) => {
      const { now, copies } = await reconciled(here, objects);
      if (now.rev === 0) return undefined;
      if (!(await readCopy(objects, copyName(now)))) await writeCopy(objects, now);
      const old = copies.slice(0, -COPIES_KEPT).filter(({ at }) => isOld(at));
      for (const { name } of old) await objects.remove(name);
      return now;
    },
  };
}

/** The pointers of Redis, which takes the newest copy first where that is of a later move, and the copies that were there. */
async function reconciled(
  here: RedisPointers,
  objects: Objects,
): Promise<{ now: PointerMap; copies: StoredObject[] }> {
  const copies = await listCopies(objects);
  const now = await here.all();
  const newer = copies.map(({ name }) => name).filter((name) => name > copyName(now));
  const copy = await newestCopy(objects, newer);
  if (!copy) return { now, copies };
  await here.adopt(copy, now);
  return { now: await here.all(), copies };
}
