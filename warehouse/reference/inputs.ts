import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../connect.ts';
import { sha256 } from '../ground/sha256.ts';

/** The versions of the packages with the data are in the lock file; a change of any other costs one fill too many. */
const LOCK_FILE = path.join(import.meta.dirname, '../../package-lock.json');

/** What the weather risk of a day is computed with. */
const WEATHER_RISK_FILE = path.join(import.meta.dirname, '../../models/weather-risk.json');

/** What the history asks of the reference: who flew in it, where, and since when. */
export type Flown = { airports: string[]; carriers: string[]; firstYear: number };

/** A sha256 of all that decides what the reference tables hold: data, code, year, and the history's reach. */
export async function referenceInputs(
  calendarFile: string,
  flown: Flown,
  now: Date,
): Promise<string> {
  const names = (await readdir(import.meta.dirname)).toSorted();
  const files = [
    ...names.map((name) => path.join(import.meta.dirname, name)),
    calendarFile,
    LOCK_FILE,
    WEATHER_RISK_FILE,
  ];
  const hashes = await Promise.all(files.map(async (file) => sha256(await readFile(file))));
  return sha256(JSON.stringify([hashes, flown, now.getUTCFullYear()]));
}

/** The inputs the reference tables were last filled from; undefined when they never were. */
export async function filledFrom(db: Database): Promise<string | undefined> {
  const [row] = await db.rows<{ sha256: string }>('select sha256 from reference.inputs');
  return row?.sha256;
}

/** Notes what the reference tables were filled from; in the transaction that fills them. */
export async function noteFilledFrom(db: Database, inputs: string): Promise<void> {
  await db.run('delete from reference.inputs; insert into reference.inputs values ($inputs)', {
    inputs,
  });
}
