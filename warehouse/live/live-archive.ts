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
import { sha256 } from '../ground/hashes.ts';
import { withTemporary } from '../ground/temporary.ts';

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

/**
 * The data behind scores at one time. Forecasts, news and airport status are each named by the sha256 of their text in
 * Redis; `null` stands for absent data.
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

/** A state with its id, and the time (ISO) at which a process began to use the state. */
export type ArchivedState = LiveState & { id: string; at: string; code: string };

/** Saves a text of the live data and returns its sha256; null if the data is absent. */
export type ArchivePart = (text: string | null) => Promise<string | null>;

/**
 * Age from which unused entries are removed. A younger entry may belong to a process that has not recorded its state
 * yet.
 */
export const UNRECORDED_MS = 2 * DAY_MS;

/**
 * The archive has the live data behind former answers. `parts/` has each text once, in a file named by its sha256.
 * `states/` has a file per UTC day, with a line for each state. Files are only created or extended, so processes need
 * no lock.
 */
export const partsDir = (liveDir: string) => path.join(liveDir, 'parts');
export const statesDir = (liveDir: string) => path.join(liveDir, 'states');
export const partName = (hash: string) => `${hash}.gz`;

/** Returns the folder of the archive. */
export function liveArchiveDir(dataDir: string): string {
  return path.join(dataDir, 'live');
}

/** Returns the id of a state. Equal states have equal ids on all machines. */
function liveStateId({ store, forecasts, news, nas, newsAt }: LiveState): string {
  return sha256(JSON.stringify([store, forecasts, news, nas, newsAt])).slice(0, 16);
}

/** Saves a text, unless the archive already has it. Replaces a damaged file. */
export async function savePart(liveDir: string, text: string | null): Promise<string | null> {
  if (text === null) return null;
  const hash = sha256(text);
  const folder = partsDir(liveDir);
  const file = path.join(folder, partName(hash));
  if ((await readPart(liveDir, hash)) !== undefined) return hash;
  await ensureDir(folder);
  const bytes = await zip(text);
  await withTemporary(folder, async (temporary) => {
    await writeSynced(temporary, bytes);
    await rename(temporary, file);
  });
  return hash;
}

/** Reads a text; undefined if it is missing or damaged. */
export async function readPart(liveDir: string, hash: string): Promise<string | undefined> {
  const bytes = await readIfExists(path.join(partsDir(liveDir), partName(hash)));
  if (bytes === undefined) return undefined;
  const text = await unzip(bytes).then(String, () => undefined);
  return text !== undefined && sha256(text) === hash ? text : undefined;
}

/** Archives the state that a process uses from the time `at` on. Returns the id of the state. */
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

/** Reads all recorded states, oldest first. Skips lines that cannot be read. */
export async function readStates(liveDir: string): Promise<ArchivedState[]> {
  const files = (await listNames(statesDir(liveDir))).toSorted();
  const states = await Promise.all(files.map((name) => readDay(liveDir, name)));
  return states.flat().toSorted((a, b) => a.at.localeCompare(b.at));
}

/** Reads the states of a day. `name` is the name of the day's file. */
export async function readDay(liveDir: string, name: string): Promise<ArchivedState[]> {
  const text = await readFile(path.join(statesDir(liveDir), name), 'utf8');
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as ArchivedState];
    } catch {
      // A killed process may have left an incomplete last line.
      return [];
    }
  });
}

/**
 * Removes the days whose store versions were all removed, and the texts that no remaining day needs. Without its store
 * version, an answer cannot be computed again.
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

/** Counts the texts and their bytes, and lists the damaged texts. */
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
