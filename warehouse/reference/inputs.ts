import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../connect.ts';
import { sha256 } from '../ground/hashes.ts';

/**
 * The lockfile has the versions of the packages with reference data, so it is part of the hash. A change of any other
 * package therefore fills the tables once more without need.
 */
const LOCK_FILE = path.join(import.meta.dirname, '../../package-lock.json');

/** Parameters for the weather risk of a day. */
const WEATHER_RISK_FILE = path.join(import.meta.dirname, '../../models/weather-risk.json');

/** Airports, carriers and first year of the history. */
export type HistoryRange = { airports: string[]; carriers: string[]; firstYear: number };

/** Hashes everything that determines the reference tables: data, code, year, and the range of the history. */
export async function hashReferenceInputs(
  seedFiles: readonly string[],
  history: HistoryRange,
  now: Date,
): Promise<string> {
  const names = (await readdir(import.meta.dirname)).toSorted();
  const files = [
    ...names.map((name) => path.join(import.meta.dirname, name)),
    ...seedFiles,
    LOCK_FILE,
    WEATHER_RISK_FILE,
  ];
  const hashes = await Promise.all(files.map(async (file) => sha256(await readFile(file))));
  return sha256(JSON.stringify([hashes, history, now.getUTCFullYear()]));
}

/** Reads the hash of the inputs of the last fill; undefined if the tables were never filled. */
export async function readFilledInputs(db: Database): Promise<string | undefined> {
  const [row] = await db.rows<{ sha256: string }>('select sha256 from reference.inputs');
  return row?.sha256;
}

/** Saves the hash of the inputs, in the transaction that fills the tables. */
export async function saveFilledInputs(db: Database, inputs: string): Promise<void> {
  await db.run('delete from reference.inputs; insert into reference.inputs values ($inputs)', {
    inputs,
  });
}
