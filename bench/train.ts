import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FEATURES } from '../models/features.ts';
import { PARAMS } from '../models/train/trees.ts';
import type { Params } from '../models/train/xgboost.ts';
import { extractFile } from '../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../warehouse/extract/extract.ts';
import { runMeasured, type Measurement } from './measured.ts';
import type { BenchResult } from './report.ts';

const ROWS = 1_000_000;

/** The width the target is set at, and the most rounds a search for their number makes. */
export const COLUMNS = 25;
export const ROUNDS = 300;

/** Ours, as wide as that. */
export const WIDE_PARAMS: Params = {
  ...PARAMS,
  monotone_constraints: `(${Array.from({ length: COLUMNS }, () => 1).join(',')})`,
};

const SEED_FILE = path.join(import.meta.dirname, '../warehouse/seed/route_hours.parquet');

const TREES = 'XGBoost alone, through our binding';
const WHOLE = 'the whole fit';
const SEED = 'the seed: from a year of the lake to a model';

/** Fits a million made-up rows, and makes a model of the seed; each in a process of its own, as a training has one. */
export async function benchTrain(log: (line: string) => void): Promise<BenchResult> {
  log(`${ROUNDS} rounds over ${ROWS} rows of ${COLUMNS} columns`);
  const trees = await runMeasured('run-fit.ts', ['trees', String(ROWS)]);
  log(`the whole fit of ${ROWS} rows`);
  const whole = await runMeasured('run-fit.ts', ['whole', String(ROWS)]);
  log('a model of the seed');
  const seed = await onTheSeed();
  const row = (
    what: string,
    rows: string,
    features: number,
    { seconds, cpuSeconds, peakMb }: Measurement,
  ) => ({
    what,
    rows,
    features,
    seconds: seconds.toFixed(1),
    'of a core, s': cpuSeconds.toFixed(1),
    'peak memory, MB': Math.round(peakMb),
  });
  return {
    part: 'train',
    subject:
      'our parameters, one core; the whole fit is the search for the number of trees, the trees, and what they add to the rows served; a training does the last line twice',
    rows: [
      row(TREES, ROWS.toLocaleString('en'), COLUMNS, trees),
      row(WHOLE, ROWS.toLocaleString('en'), FEATURES.length, whole),
      row(SEED, 'those of a year', FEATURES.length, seed),
    ],
    targets: [...targets(TREES, trees), ...targets(WHOLE, whole)],
  };
}

function targets(name: string, { seconds, peakMb }: Measurement): BenchResult['targets'] {
  return [
    { name: `${name}: time`, measured: Math.round(seconds * 10) / 10, atMost: 60, unit: 's' },
    { name: `${name}: peak memory`, measured: Math.round(peakMb), atMost: 2_000, unit: 'MB' },
  ];
}

async function onTheSeed(): Promise<Measurement> {
  const lakeDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    const deps = createExtractDeps({ lakeDir, codeVersion: 'bench' });
    await extractFile({ path: SEED_FILE }, deps, () => undefined);
    return await runMeasured('run-train.ts', [lakeDir, '2019-01-01']);
  } finally {
    await rm(lakeDir, { recursive: true });
  }
}
