import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { PROVIDERS } from '../../../pipelines/providers/index.ts';
import packageFile from '../../../package.json' with { type: 'json' };

export const SEED_DIR = path.join(import.meta.dirname, '../../../warehouse/seed');

/** Paths of the files that `make seed` writes into a folder: flights and the delay-cause table. */
export const seedFilesIn = (folder: string) =>
  ['route_hours.parquet', 'delay_causes.parquet'].map((name) => path.join(folder, name));

/** Paths of the bundled records of other providers. */
export const providerSeedFilesIn = (folder: string) =>
  PROVIDERS.filter(({ isBundled }) => isBundled).map(({ name }) =>
    path.join(folder, `${name}.parquet`),
  );

const FIRST_YEAR = 1987;
const LAST_YEAR = 2100;

/** Parses a day such as 2017-10-01; throws if the text is not a day. */
export function parseDay(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`);
  if (isDay) return text;
  throw new InvalidArgumentError('Expected a day such as 2017-10-01.');
}

/** Parses a month such as 2018-10; throws if the text is not a month. */
export function parseMonth(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('Expected a month such as 2018-10.');
}

/** Parses a year of flights, from 1987 to 2100. */
export function parseYear(text: string): number {
  const year = Number(text);
  if (Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR) return year;
  throw new InvalidArgumentError(`Expected a year from ${FIRST_YEAR} to ${LAST_YEAR}.`);
}

/** Parses a number of months, 1 or more. */
export function parseMonths(text: string): number {
  const months = Number(text);
  if (Number.isInteger(months) && months >= 1) return months;
  throw new InvalidArgumentError('Expected a number of months, 1 or more.');
}

/** Returns the version of the code, which is written into manifests and the ledger. */
export async function codeVersion(): Promise<string> {
  const { codeVersionOf } = await import('../../../warehouse/lake/code-version.ts');
  return codeVersionOf(packageFile.version);
}
