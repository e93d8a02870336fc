import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import packageFile from '../../../package.json' with { type: 'json' };

export const SEED_DIR = path.join(import.meta.dirname, '../../../warehouse/seed');

/** The history in a folder as `make seed` writes it: flights, and BTS's monthly table. */
export const seedFilesIn = (folder: string) =>
  ['route_hours.parquet', 'delay_causes.parquet'].map((name) => path.join(folder, name));

const FIRST_YEAR = 1987;
const LAST_YEAR = 2100;

/** A day such as 2017-10-01; throws for what is none. */
export function parseDay(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`);
  if (isDay) return text;
  throw new InvalidArgumentError('It is not a day such as 2017-10-01.');
}

/** A year of flights. */
export function parseYear(text: string): number {
  const year = Number(text);
  if (Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR) return year;
  throw new InvalidArgumentError(`It is not a year from ${FIRST_YEAR} to ${LAST_YEAR}.`);
}

/** A number of months, 1 or more. */
export function parseMonths(text: string): number {
  const months = Number(text);
  if (Number.isInteger(months) && months >= 1) return months;
  throw new InvalidArgumentError('It is not a number of months.');
}

/** Names the code for manifests and the ledger. */
export async function codeVersion(): Promise<string> {
  const { codeVersionOf } = await import('../../../warehouse/lake/code-version.ts');
  return codeVersionOf(packageFile.version);
}
