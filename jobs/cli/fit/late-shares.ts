import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { JSON_TABLES } from '../../../pipelines/providers/index.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { expit, logit } from '../../../warehouse/ground/log-odds.ts';
import { round, sum } from '../../../warehouse/ground/numbers.ts';
import { fileSha256, sha256 } from '../../../warehouse/ground/hashes.ts';
import { lakeFilePath, readManifests } from '../../../warehouse/lake/lake.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import { percent, table } from '../tables.ts';
import { saveText } from './save-weather.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const PARAMETERS_FILE = path.join(ROOT, 'warehouse/store/late-shares.json');

/** Maps each provider in the bundled history to the name of its file. */
const BUNDLED = { bts: 'route_hours', hkia: 'hkia', zrh: 'zrh' };

/** Files of the public data, by provider. */
const PUBLIC = {
  caa: ['caa_2018_', 'caa_2019_', 'caa_2021_'].map(
    (start) => `${start}Annual_Punctuality_Statistics_Full_Analysis_Arrival_Departure.csv.gz`,
  ),
  anac: ['2020_10', '2021_03', '2021_04'].map((month) => `VRA_${month}.csv.gz`),
};

/** Sums of a provider's flights. */
type LateSums = { late15: number; late30: number; minutes: number | null } & Record<
  'late60' | 'late120' | 'late180' | 'late360',
  number
>;

/**
 * The shares to fit. Each one is the share of flights that are late by `minutes`, among the flights that are late by
 * `of` minutes.
 */
const STEPS = [
  { minutes: 30, of: 15, share: ({ late30, late15 }: LateSums) => late30 / late15 },
  { minutes: 60, of: 30, share: ({ late60, late30 }: LateSums) => late60 / late30 },
  { minutes: 120, of: 30, share: ({ late120, late30 }: LateSums) => late120 / late30 },
  { minutes: 180, of: 30, share: ({ late180, late30 }: LateSums) => late180 / late30 },
  { minutes: 360, of: 30, share: ({ late360, late30 }: LateSums) => late360 / late30 },
];

/**
 * Fits the shares from which missing counts of delays are inferred. Prints the shares and, with `write`, saves them.
 * Each share is a mean over providers that count both delays. The mean is computed in log-odds. For the error, the
 * share of each provider is inferred from the other providers.
 */
export async function fitLateShares(dataDir: string, write: boolean): Promise<void> {
  const files = {
    ...Object.fromEntries(
      Object.entries(BUNDLED).map(([name, file]) => [
        name,
        [path.join(ROOT, `warehouse/seed/${file}.parquet`)],
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(PUBLIC).map(([name, own]) => [
        name,
        own.map((file) => path.join(dataDir, 'world', file)),
      ]),
    ),
  };
  const sums = new Map<string, LateSums>();
  for (const [name, own] of Object.entries(files)) {
    sums.set(name, await (name in BUNDLED ? sumsOf(own) : sumsOfSources(name, own)));
  }
  const shares = STEPS.map(({ minutes, of, share }) => {
    const known = [...sums].map(([name, one]) => [name, share(one)] as const);
    const { mean, error } = meanShare(known.map(([, value]) => value));
    return { minutes, of, share: round(mean, 3), error: round(error, 3), known };
  });
  const means = [...sums.values()].flatMap(({ minutes, late30 }) =>
    minutes === null ? [] : [minutes / late30],
  );
  console.log(
    table(
      ['minutes', 'of', 'share', 'error', ...sums.keys()],
      shares.map(({ minutes, of, share, error, known }) => [
        ...[minutes, of].map(String),
        ...[share, error, ...known.map(([, value]) => value)].map((one) => percent(one)),
      ]),
    ),
  );
  const meanMinutes = round(sum(means) / means.length, 0);
  console.log(
    `mean delay of late flights: ${meanMinutes} minutes, the mean of ${means.map((one) => round(one, 0)).join(', ')}`,
  );
  if (!write) return;
  const content = {
    shares: shares.map(({ known: _, ...one }) => one),
    meanMinutes,
    provenance: {
      command: 'npm run fit -- late-shares --write',
      sources: await Promise.all(
        Object.values(files)
          .flat()
          .map(async (file) => ({ file: path.basename(file), sha256: await fileSha256(file) })),
      ),
    },
  };
  const seal = sha256(JSON.stringify(content));
  await saveText(PARAMETERS_FILE, `${JSON.stringify({ ...content, seal }, null, 2)}\n`);
  console.log(`written to ${PARAMETERS_FILE}`);
}

/**
 * Returns the mean of the shares in log-odds. `error` is the root mean square error when each share is inferred from
 * the other shares.
 */
export function meanShare(shares: readonly number[]): { mean: number; error: number } {
  const odds = shares.map((share) => logit(share));
  const total = sum(odds);
  const errors = shares.map((share, at) => {
    const others = (total - (odds[at] as number)) / (shares.length - 1);
    return (share - expit(others)) ** 2;
  });
  return { mean: expit(total / shares.length), error: Math.sqrt(sum(errors) / shares.length) };
}

/** Extracts sources of a provider into a temporary lake and sums their flights. */
async function sumsOfSources(provider: string, sources: string[]): Promise<LateSums> {
  const lakeDir = await mkdtemp(path.join(tmpdir(), 'headwind-late-shares-'));
  try {
    const deps = createExtractDeps({ lakeDir, codeVersion: 'fit', jsonTables: JSON_TABLES });
    for (const source of sources) await extractFile({ path: source }, deps, () => undefined);
    const ownLake = providerLakeDir(lakeDir, provider);
    const manifests = await readManifests(ownLake);
    return await sumsOf(
      manifests.map(({ month, files }) => lakeFilePath(ownLake, month, files.routeHours)),
    );
  } finally {
    await rm(lakeDir, { recursive: true });
  }
}

/** Sums the flights in files of route hours. Leaves out rows in which a count of delays is missing. */
async function sumsOf(files: string[]): Promise<LateSums> {
  const db = await openDatabase({ threads: 1 });
  try {
    const [row] = await db.rows<LateSums>(
      `select
         sum(delayed15_count)::double as late15, sum(delayed_count)::double as late30,
         sum(delayed60_count)::double as late60, sum(delayed120_count)::double as late120,
         sum(delayed180_count)::double as late180, sum(delayed360_count)::double as late360,
         sum(delayed_min_sum)::double as minutes
       from read_parquet($files::json::varchar[], hive_partitioning = false, union_by_name = true)
       where delayed15_count > 0 and delayed360_count is not null`,
      { files: JSON.stringify(files) },
    );
    return row as LateSums;
  } finally {
    db.close();
  }
}
