import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { replicated } from '../../replicated.ts';
import type { Objects } from '../../objects/objects.ts';
import { sealed, unsealed } from '../sealed.ts';
import type { Unit } from './units.ts';

/** All pointers at a moment: the text of each unit's state, and how many moves there were before. */
export type PointerMap = { rev: number; units: Record<Unit, string> };

/**
 * What counts of a shared lake: a hash in Redis, moved by compare-and-set. After each move all of them are written beside the
 * files, so a Redis that was wiped, or came back older, takes them from there.
 */
export type Pointers = {
  all: () => Promise<PointerMap>;
  /** The text of a unit's state; empty when there is nothing of it. */
  of: (unit: Unit) => Promise<string>;
  /** Whether the pointer was where the caller saw it, and is moved. */
  move: (unit: Unit, seen: string, next: string) => Promise<boolean>;
  /** Brings Redis and the newest copy of the pointers together, where one of them is behind; removes old copies. */
  settle: (isOld: (at: Date) => boolean) => Promise<void>;
};

const REV = '#rev';
const COPIES = 'pointers/';
/** Of the copies, whatever their age. */
const COPIES_KEPT = 5;
const REV_DIGITS = 12;

const MOVE = readFileSync(new URL('move.lua', import.meta.url), 'utf8');
const ADOPT = readFileSync(new URL('adopt.lua', import.meta.url), 'utf8');

/** The pointers of the lake in that place; a move is acknowledged when so many replicas have it. */
export function createPointers(redis: Redis, objects: Objects, replicas: number): Pointers {
  const key = `hw:lake:${objects.place}`;
  const held = async (): Promise<PointerMap | undefined> => mapOf(await redis.hgetall(key));
  const adopt = async ({ rev, units }: PointerMap) => {
    await replicated(redis, replicas, (own) =>
      own.eval(ADOPT, 1, key, rev, ...Object.entries(units).flat()),
    );
  };
  const write = async (map: PointerMap) => {
    await objects.put(copyName(map.rev), Buffer.from(sealed(map)));
  };
  const recover = async (): Promise<PointerMap> => {
    const copy = await newestCopy(objects);
    await adopt(copy ?? { rev: 0, units: {} });
    return (await held()) ?? { rev: 0, units: {} };
  };
  const all = async () => (await held()) ?? (await recover());
  return {
    all,
    of: async (unit) => {
      const [rev, text] = await redis.hmget(key, REV, unit);
      return rev === null ? ((await recover()).units[unit] ?? '') : (text ?? '');
    },
    move: async (unit, seen, next) => {
      const fields = await replicated(redis, replicas, (own) =>
        own.eval(MOVE, 1, key, unit, seen, next),
      );
      if (!Array.isArray(fields)) return false;
      const map = mapOf(pairsOf(fields as string[]));
      // The pointer has moved: a copy that cannot be written now is written with the next move, or by settling.
      if (map) await write(map).catch(() => undefined);
      return true;
    },
    settle: async (isOld) => {
      const now = await all();
      const copies = await objects.list(COPIES);
      const newest = await newestCopy(
        objects,
        copies.map(({ name }) => name),
      );
      if (newest && newest.rev > now.rev) await adopt(newest);
      else if (now.rev > (newest?.rev ?? 0)) await write(now);
      const old = copies.slice(0, -COPIES_KEPT).filter(({ at }) => isOld(at));
      for (const { name } of old) await objects.remove(name);
    },
  };
}

function copyName(rev: number): string {
  return `${COPIES}${String(rev).padStart(REV_DIGITS, '0')}.json`;
}

/** The newest copy that can be trusted. */
async function newestCopy(objects: Objects, names?: string[]): Promise<PointerMap | undefined> {
  const all = names ?? (await objects.list(COPIES)).map(({ name }) => name);
  for (const name of all.toReversed()) {
    const text = await objects.read(name);
    if (!text) continue;
    try {
      return unsealed<PointerMap>(text.toString(), name, 'an older one is taken');
    } catch {
      // Cut while it was written: the one before is whole.
    }
  }
  return undefined;
}

function mapOf(fields: Record<string, string>): PointerMap | undefined {
  const { [REV]: rev, ...units } = fields;
  return rev === undefined ? undefined : { rev: Number(rev), units };
}

function pairsOf(flat: string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let at = 0; at + 1 < flat.length; at += 2) pairs[flat[at] ?? ''] = flat[at + 1] ?? '';
  return pairs;
}
