import { appendFile, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { DAY_MS, dateAt } from '../ground/dates.ts';
import {
  ensureDir,
  listNames,
  readIfExists,
  statIfExists,
  sweep,
  writeSynced,
} from '../ground/files.ts';
import { sha256 } from '../ground/sha256.ts';
import { withTemporary } from '../ground/temporary.ts';

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

/**
 * The data behind scores at one time. Forecasts, news and airport status are named by the sha256 of their text in Redis;
 * `null` stands for absent data.
 */
export type LiveState = {
  /** Version of the score store. */
  store: string;
  forecasts: string | null;
  news: string | null;
  nas: string | null;
  /** When the general news feeds were last fetched (ISO). */
  newsAt: string | null;
};

/** A state with its id and the time from which a process used it (ISO). */
export type ArchivedState = LiveState & { id: string; at: string; code: string };

/** Saves a part of the live data. Returns its sha256; null for absent data. */
export type ArchivePart = (text: string | null) => Promise<string | null>;

/** A state younger than this may be in the hands of a process that has not recorded it yet. */
const UNRECORDED_MS = 2 * DAY_MS;

/**
 * The live data of former answers, in the data folder. `parts/` has each text once, named by its sha256. `states/` has a
 * file per UTC day, with a line for each state. Files are only appended or created, so processes need no lock.
 */
const partsDir = (liveDir: string) => path.join(liveDir, 'parts');
const statesDir = (liveDir: string) => path.join(liveDir, 'states');
const partName = (hash: string) => `${hash}.gz`;

/** Returns the folder of the archive. */
export function liveArchiveDir(dataDir: string): string {
  return path.join(dataDir, 'live');
}

/** Returns the id of a state. Equal states have equal ids on all machines. */
function liveStateId({ store, forecasts, news, nas, newsAt }: LiveState): string {
  return sha256(JSON.stringify([store, forecasts, news, nas, newsAt])).slice(0, 16);
}

/** Saves a part, unless it is saved already. */
export async function savePart(liveDir: string, text: string | null): Promise<string | null> {
  if (text === null) return null;
  const hash = sha256(text);
  const folder = partsDir(liveDir);
  const file = path.join(folder, partName(hash));
  if (await statIfExists(file)) return hash;
  await ensureDir(folder);
  const bytes = await zip(text);
  await withTemporary(folder, async (temporary) => {
    await writeSynced(temporary, bytes);
    await rename(temporary, file);
  });
  return hash;
}

/** Reads a part; undefined if it is missing or damaged. */
export async function readPart(liveDir: string, hash: string): Promise<string | undefined> {
  const bytes = await readIfExists(path.join(partsDir(liveDir), partName(hash)));
  if (bytes === undefined) return undefined;
  const text = await unzip(bytes).then(String, () => undefined);
  return text !== undefined && sha256(text) === hash ? text : undefined;
}

/** Records that a state is in use from this time on. Returns the id of the state. */
export async function recordState(
  liveDir: string,
  state: LiveState,
  { at, code }: { at: Date; code: string },
): Promise<string> {
  const id = liveStateId(state);
  const line: ArchivedState = { id, at: at.toISOString(), code, ...state };
  const folder = statesDir(liveDir);
  await ensureDir(folder);
  await appendFile(path.join(folder, `${dateAt(at)}.ndjson`), `${JSON.stringify(line)}\n`);
  return id;
}

/** Reads all recorded states, oldest first. Skips unreadable lines. */
export async function readStates(liveDir: string): Promise<ArchivedState[]> {
  const files = (await listNames(statesDir(liveDir))).toSorted();
  const states = await Promise.all(files.map((name) => readDay(liveDir, name)));
  return states.flat().toSorted((a, b) => a.at.localeCompare(b.at));
}

async function readDay(liveDir: string, name: string): Promise<ArchivedState[]> {
  const text = await readFile(path.join(statesDir(liveDir), name), 'utf8');
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as ArchivedState];
    } catch {
      // The last line of a process that was killed while it wrote.
      return [];
    }
  });
}

/**
 * Removes the days on which no state used a stored version, and the parts that no other day names. An answer of a
 * removed version cannot be computed again, so its live data have no use.
 */
export async function pruneLiveArchive(
  liveDir: string,
  versions: readonly string[],
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - UNRECORDED_MS);
  const stored = new Set(versions);
  const named = new Set<string>();
  for (const name of await listNames(statesDir(liveDir))) {
    const states = await readDay(liveDir, name);
    const file = path.join(statesDir(liveDir), name);
    if (states.every(({ store }) => !stored.has(store)) && (await stat(file)).mtime < before) {
      await rm(file, { force: true });
      continue;
    }
    for (const { forecasts, news, nas } of states) {
      for (const hash of [forecasts, news, nas]) if (hash !== null) named.add(partName(hash));
    }
  }
  if ((await statIfExists(partsDir(liveDir))) === undefined) return;
  await sweep(partsDir(liveDir), named, before);
}

/** Counts the parts and their bytes, and lists the damaged ones. */
export async function verifyLiveArchive(
  liveDir: string,
): Promise<{ checked: number; bytes: number; damaged: string[] }> {
  const result = { checked: 0, bytes: 0, damaged: [] as string[] };
  for (const name of await listNames(partsDir(liveDir))) {
    const hash = path.basename(name, '.gz');
    if (name !== partName(hash) || !/^[0-9a-f]{64}$/.test(hash)) continue;
    result.checked += 1;
    result.bytes += (await statIfExists(path.join(partsDir(liveDir), name)))?.size ?? 0;
    if ((await readPart(liveDir, hash)) === undefined) result.damaged.push(name);
  }
  return result;
}
