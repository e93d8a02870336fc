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

/** Number of columns for which the target is set. */
export const COLUMNS = 25;
/** Maximum number of rounds (trees) of a fit. */
export const ROUNDS = 300;

/** The parameters of our training, for this number of columns. */
export const WIDE_PARAMS: Params = {
  ...PARAMS,
  monotone_constraints: `(${Array.from({ length: COLUMNS }, () => 1).join(',')})`,
};

const SEED_FILE = path.join(import.meta.dirname, '../warehouse/seed/route_hours.parquet');

const TREES = 'XGBoost alone through our binding';
const WHOLE = 'the whole fit';
const SEED = 'the seed: from a year of the lake to a model';

/**
 * Fits a million made-up rows, and trains a model on the seed. Each measurement has its own process, like a real
 * training.
 */
export async function benchTrain(log: (line: string) => void): Promise<BenchResult> {
  log(`${ROUNDS} rounds over ${ROWS} rows of ${COLUMNS} columns`);
  const trees = await runMeasured('run-fit.ts', ['trees', String(ROWS)]);
  log(`the whole fit of ${ROWS} rows`);
  const whole = await runMeasured('run-fit.ts', ['whole', String(ROWS)]);
  log('training on the seed');
  const seed = await measureSeed();
  const row = (
    task: string,
    rows: string,
    features: number,
    { seconds, cpuSeconds, peakMb }: Measurement,
  ) => ({
    task,
    rows,
    features,
    seconds: seconds.toFixed(1),
    'CPU time, s': cpuSeconds.toFixed(1),
    'peak memory, MB': Math.round(peakMb),
  });
  return {
    part: 'train',
    subject:
      'our parameters, one core; the whole fit searches for the number of trees and then builds them; a training runs the last line twice',
    rows: [
      row(TREES, ROWS.toLocaleString('en'), COLUMNS, trees),
      row(WHOLE, ROWS.toLocaleString('en'), FEATURES.length, whole),
      row(SEED, 'one year', FEATURES.length, seed),
    ],
    targets: [...targets(TREES, trees), ...targets(WHOLE, whole)],
  };
}

function targets(name: string, { seconds, peakMb }: Measurement): BenchResult['targets'] {
  return [
    { name: `${name}: time`, measured: Math.round(seconds * 10) / 10, atMost: 60, unit: 's' },
    { name: `${name}: peak memory`, measured: Math.round(peakMb), atMost: 1_500, unit: 'MB' },
  ];
}

async function measureSeed(): Promise<Measurement> {
  const lakeDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    const deps = createExtractDeps({ lakeDir, codeVersion: 'bench' });
    await extractFile({ path: SEED_FILE }, deps, () => undefined);
    return await runMeasured('run-train.ts', [lakeDir, '2019-01-01']);
  } finally {
    await rm(lakeDir, { recursive: true });
  }
}
