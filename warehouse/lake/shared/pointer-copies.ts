import type { Objects, StoredObject } from '../../objects/objects.ts';
import { sealed, unsealed } from '../sealed.ts';
import type { Unit } from './units.ts';

/** All pointers at a moment: the text of each unit's state. */
export type PointerMap = {
  /** How many moves there were before. 0: nothing says which months count. */
  rev: number;
  /** Of the last move. Revisions repeat where Redis lost moves, ids never. */
  id: string;
  units: Record<Unit, string>;
};

type EarlierMap = Omit<PointerMap, 'id'> & Partial<PointerMap>;

const COPIES = 'pointers/';
const REV_DIGITS = 12;

/** The copies of the pointers beside the files, oldest first. */
export function listCopies(objects: Objects): Promise<StoredObject[]> {
  return objects.list(COPIES);
}

/** No two moves have the same name, and names are in the order of moves. Earlier code gave no ids. */
export function copyName({ rev, id }: Pick<PointerMap, 'rev' | 'id'>): string {
  const suffix = id === '' ? '' : `-${id}`;
  return `${COPIES}${String(rev).padStart(REV_DIGITS, '0')}${suffix}.json`;
}

export async function writeCopy(objects: Objects, map: PointerMap): Promise<void> {
  await objects.put(copyName(map), Buffer.from(sealed(map)));
}

/** The copy of that name; undefined where there is none that can be trusted. */
export async function readCopy(objects: Objects, name: string): Promise<PointerMap | undefined> {
  const text = await objects.read(name);
  if (!text) return undefined;
  try {
    const remedy = 'an older one is taken';
    const { rev, id = '', units } = unsealed<EarlierMap>(text.toString(), name, remedy);
    return { rev, id, units };
  } catch {
    // Cut while it was written: the one before is whole.
    return undefined;
  }
}

/** The newest copy of these names that can be trusted. */
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
