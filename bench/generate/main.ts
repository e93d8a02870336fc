/** `make generate FROM=2025-01 TO=2025-12 OUT=folder`: writes made-up BTS months, one zip each. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { btsCsvName, writeBtsMonth } from './bts-month.ts';
import { btsFileName, monthsBetween } from '../../pipelines/flights/months.ts';

type Options = {
  from: string;
  to?: string;
  rows: number;
  seed: number;
  badRows: number;
  out: string;
  csv?: boolean;
};

const program = new Command('generate')
  .description("write made-up months in BTS's form, for tests and measurements only")
  .requiredOption('--from <month>', 'first month, for example 2025-01', monthArgument)
  .option('--to <month>', 'last month (default: the first)', monthArgument)
  .option('--rows <count>', 'flights of each month', numberArgument, 600_000)
  .option('--seed <number>', 'the same seed gives the same bytes', numberArgument, 1)
  .option('--bad-rows <share>', 'share of unusable rows', numberArgument, 0.0001)
  .option('--csv', 'write plain CSV instead of zip')
  .requiredOption('--out <folder>', 'folder for the files; created if missing');

const options = program.parse().opts<Options>();
await mkdir(options.out, { recursive: true });
for (const month of monthsBetween(options.from, options.to ?? options.from)) {
  const name = options.csv ? btsCsvName(month) : btsFileName(month);
  const startedAt = performance.now();
  const { rows, badRows, csvBytes } = await writeBtsMonth(path.join(options.out, name), {
    month,
    rows: options.rows,
    seed: options.seed,
    badRowRate: options.badRows,
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const megabytes = Math.round(csvBytes / 1e6);
  console.log(
    `${name}: ${rows} rows, ${badRows} of them bad, ${megabytes} MB of CSV, ${seconds} s`,
  );
}

function monthArgument(text: string): string {
  if (!/^(19|20)\d\d-(0[1-9]|1[0-2])$/.test(text)) {
    throw new InvalidArgumentError('Write the month as YYYY-MM.');
  }
  return text;
}

function numberArgument(text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number) || number < 0) {
    throw new InvalidArgumentError('Use a number of 0 or more.');
  }
  return number;
}
