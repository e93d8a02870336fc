import path from 'node:path';
import { openDatabase } from '../../../warehouse/connect.ts';
import { fileSha256, sha256 } from '../../../warehouse/ground/hashes.ts';
import { SEED_DIR } from '../program/arguments.ts';
import { table } from '../tables.ts';
import {
  fitAge,
  FRESH_MONTHS,
  meanCovariance,
  monthPairs,
  remainingShare,
  squaredMiss,
  type MonthPair,
  type RouteMonth,
} from './record-age.ts';
import { saveText } from './save-weather.ts';

const SOURCE = path.join(SEED_DIR, 'route_hours.parquet');
const PARAMETERS = path.join(import.meta.dirname, '../../../models/record-age.json');

/**
 * Ranges of `gap`, the number of months between the two months of a pair. Each range is a row of the table. Both ends
 * belong to the range.
 */
const GAPS = [
  [1, 12],
  [13, 24],
  [25, 48],
  [49, 60],
  [61, 72],
  [73, 87],
] as const;

/** First month of the validation, counted in months since the year 0. */
const TEST_FROM = 12 * 2024 + 1;

/**
 * Fits how fast the record of an airline-route loses value with age, and prints the table of docs/features.md. Uses
 * pairs of months of the bundled history. With `write`, saves the half-life.
 */
export async function fitRecordAge(write: boolean): Promise<void> {
  const pairs = monthPairs(await readRouteMonths());
  const fit = fitAge(pairs);
  const rows = GAPS.map(([from, until]) => {
    const inGap = pairs.filter(({ gap }) => gap >= from && gap <= until);
    const actual = meanCovariance(inGap) / fit.covariance;
    const gap = inGap.reduce((all, one) => all + one.weight * one.gap, 0);
    const mean = gap / inGap.reduce((all, one) => all + one.weight, 0);
    const fitted = remainingShare(mean, fit.halfLifeMonths);
    return [`${from}–${until}`, String(inGap.length), actual.toFixed(2), fitted.toFixed(2)];
  });
  console.log(table(['months', 'pairs of months', 'share left', 'fitted'], rows));
  console.log(
    `A record keeps its full weight for ${FRESH_MONTHS} months. Then its weight halves every ${fit.halfLifeMonths} months.`,
  );
  console.log(validationText(pairs));
  if (write) await saveParameters(fit.halfLifeMonths);
}

/** Fits the half-life on pairs that end before 2024, and tests it on the later pairs. */
function validationText(pairs: readonly MonthPair[]): string {
  const before = fitAge(pairs.filter(({ later }) => later < TEST_FROM));
  const test = pairs.filter(({ later, gap }) => later >= TEST_FROM && gap > FRESH_MONTHS);
  const missWith = (halfLifeMonths: number) =>
    squaredMiss(test, ({ gap }) => before.covariance * remainingShare(gap, halfLifeMonths));
  const change = 1 - missWith(before.halfLifeMonths) / missWith(Infinity);
  return `Without 2024 and 2025, the fitted half-life is ${before.halfLifeMonths} months. On pairs with months of these years, its squared error is ${(100 * change).toFixed(0)} % lower than without a half-life.`;
}

async function readRouteMonths(): Promise<RouteMonth[]> {
  const db = await openDatabase({ threads: 1 });
  try {
    return await db.rows<RouteMonth>(
      `select
          (12 * year(month) + month(month))::integer as month,
          carrier,
          origin,
          dest,
          sum(completed_count)::integer as completed,
          sum(delayed_count)::integer as delayed
        from read_parquet($source)
        where delay_basis = 'arrival'
        group by all
        having completed > 0
        order by all`,
      { source: SOURCE },
    );
  } finally {
    db.close();
  }
}

async function saveParameters(halfLifeMonths: number): Promise<void> {
  const content = {
    freshMonths: FRESH_MONTHS,
    halfLifeMonths,
    provenance: {
      command: 'npm run fit -- age --write',
      sources: [{ file: path.basename(SOURCE), sha256: await fileSha256(SOURCE) }],
    },
  };
  const seal = sha256(JSON.stringify(content));
  await saveText(PARAMETERS, `${JSON.stringify({ ...content, seal }, null, 2)}\n`);
  console.log(`written to ${PARAMETERS}`);
}
