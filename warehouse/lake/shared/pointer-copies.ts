import type { Objects, StoredObject } from '../../objects/objects.ts';
import { sealJson, parseSealed } from '../sealed.ts';
import type { Unit } from './units.ts';

/** All pointers at one time: the state of each unit, as text. */
export type PointerMap = {
  /** The revision: the number of moves so far. 0 means that there are no pointers. */
  rev: number;
  /** Id of the last move. Each move has a new id. A revision can repeat, because Redis may lose the last moves. */
  id: string;
  units: Record<Unit, string>;
};

const COPIES = 'pointers/';
const REV_DIGITS = 12;

/** Lists the copies of the pointers in the storage, oldest first. */
export function listCopies(objects: Objects): Promise<StoredObject[]> {
  return objects.list(COPIES);
}

/** Returns the name of a copy, which is unique for each move. Names sort by revision. */
export function copyName({ rev, id }: Pick<PointerMap, 'rev' | 'id'>): string {
  return `${COPIES}${String(rev).padStart(REV_DIGITS, '0')}-${id}.json`;
}

export async function writeCopy(objects: Objects, map: PointerMap): Promise<void> {
  await objects.put(copyName(map), Buffer.from(sealJson(map)));
}

/** Reads a copy; undefined if the copy is missing or damaged. */
export async function readCopy(objects: Objects, name: string): Promise<PointerMap | undefined> {
  const text = await objects.read(name);
  if (!text) return undefined;
  try {
    const remedy = 'an older copy is used';
    return parseSealed<PointerMap>(text.toString(), name, remedy);
  } catch {
    // This copy was not written completely, so an older copy is used.
    return undefined;
  }
}

/** Reads the newest copy that is not damaged, among the copies with these names. */
export async function newestCopy(
  objects: Objects,
  names: readonly string[],
): Promise<PointerMap | undefined> {
  for (const name of names.toReversed()) {
    const copy = await readCopy(objects, name);
    if (copy) return copy;
  }
  return undefined;
}
