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
 * The pointers of a shared lake name its current versions. They are in a Redis hash and are moved by compare-and-set. A
 * move returns only after a copy of all pointers was written to the storage. If Redis lost its data or restarted with
 * old data, the newest copy is restored before any move.
 */
export type Pointers = {
  /** Whether Redis or the storage has pointers. A new storage has no pointers. */
  hasPointers: () => Promise<boolean>;
  /**
   * Reads all pointers. The result is never older than the copies in the storage. Throws `NoPointersError` if there are
   * no pointers.
   */
  readAll: () => Promise<PointerMap>;
  /**
   * Reads the state of a unit as text; the text is empty if the unit has no versions. Throws `NoPointersError` if there
   * are no pointers.
   */
  readState: (unit: Unit) => Promise<string>;
  /**
   * Moves the pointer if its state is still `oldState`; otherwise returns false. If `oldState` and `newState` are
   * equal, only checks the current state. Throws if the copy of the pointers could not be written. In this case, the
   * pointer has moved, but the caller must not rely on the move.
   */
  move: (unit: Unit, oldState: string, newState: string) => Promise<boolean>;
  /**
   * Creates the pointers of an empty lake, if there are no pointers. Throws `NoPointersError` if the storage has
   * objects with one of these prefixes: the pointers to these objects were lost.
   */
  begin: (prefixes: readonly string[]) => Promise<void>;
  /**
   * Reconciles the pointers in Redis with their copies in the storage, and removes old copies. Returns the pointers;
   * undefined if there are no pointers.
   */
  reconcile: (isOld: (at: Date) => boolean) => Promise<PointerMap | undefined>;
};

/** Number of newest copies to keep, regardless of their age. */
const COPIES_KEPT = 5;

/**
 * Creates the pointers of the lake in this storage. `replicas` is the number of Redis replicas that must receive a move
 * before it returns.
 */
export function createPointers(redis: Redis, objects: Objects, replicas: number): Pointers {
  const store = redisPointers(redis, `hw:lake:${objects.place}`, replicas);
  const hasPointers = async () =>
    (await store.readRev()) > 0 || (await readNewest(store, objects)).current.rev > 0;
  const readAll = async () => {
    const { current } = await readNewest(store, objects);
    if (current.rev === 0) throw new NoPointersError(objects.place);
    return current;
  };
  return {
    hasPointers,
    readAll,
    readState: async (unit) => {
      const { rev, text } = await store.readUnit(unit);
      return rev > 0 ? text : ((await readAll()).units[unit] ?? '');
    },
    move: async (unit, oldState, newState) => {
      const { current, copies } = await readNewest(store, objects);
      if (oldState === newState) {
        if ((current.units[unit] ?? '') !== oldState) return false;
        // The unit already has the new state. An earlier move to this state may have failed before its copy was
        // written.
        if (!copies.some(({ name }) => name === copyName(current))) {
          await writeCopy(objects, current);
        }
        return true;
      }
      const pointers = await store.move({
        unit,
        oldState,
        newState,
        rev: current.rev,
        id: randomUUID(),
      });
      if (pointers) await writeCopy(objects, pointers);
      return pointers !== undefined;
    },
    begin: async (prefixes) => {
      if (await hasPointers()) return;
      for (const prefix of prefixes) {
        const [object] = await objects.list(prefix);
        if (!object) continue;
        throw new NoPointersError(
          objects.place,
          `${objects.place} has files, for example ${object.name}`,
        );
      }
      const noUnits = { rev: 1, id: randomUUID(), units: {} };
      await writeCopy(objects, noUnits);
      await store.adopt(noUnits, NO_POINTERS);
    },
    reconcile: async (isExpired) => {
      const { current, copies } = await readNewest(store, objects);
      if (current.rev === 0) return undefined;
      if (!(await readCopy(objects, copyName(current)))) await writeCopy(objects, current);
      const oldCopies = copies.slice(0, -COPIES_KEPT).filter(({ at }) => isExpired(at));
      for (const { name } of oldCopies) await objects.remove(name);
      return current;
    },
  };
}

/**
 * Reads the pointers. If the newest copy is newer than Redis, restores it to Redis first. Also returns the list of
 * copies.
 */
async function readNewest(
  store: RedisPointers,
  objects: Objects,
): Promise<{ current: PointerMap; copies: StoredObject[] }> {
  const copies = await listCopies(objects);
  const current = await store.readAll();
  const newerNames = copies.map(({ name }) => name).filter((name) => name > copyName(current));
  const copy = await newestCopy(objects, newerNames);
  if (!copy) return { current, copies };
  await store.adopt(copy, current);
  return { current: await store.readAll(), copies };
}
