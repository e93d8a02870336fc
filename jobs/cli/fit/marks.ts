/**
 * `make marks [SOURCE=folder of flight files]`: fits the marks of the score, and writes them with their provenance
 * and a seal.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MODEL_CONTRACT } from '../../../models/features.ts';
import { openModel } from '../../../models/onnx/model.ts';
import {
  fitMarks,
  missesOf,
  type MarkCase,
  type ScoreMarks,
} from '../../../models/train/score-marks.ts';
import { openXgboost } from '../../../models/train/xgboost.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { scoreOutcomes, type ScoredOutcome } from '../../../pipelines/model/score-outcomes.ts';
import { trainModel } from '../../../pipelines/model/train-model.ts';
import { knowledgeAsOf, readOutcomes } from '../../../warehouse/build/as-of.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
import { SEED_DIR, seedFilesIn } from '../program/arguments.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
/** The value of `file` for folds that use the flights of the seed. */
const SEED = 'seed';
const MARKS = path.join(ROOT, 'models/score-marks.json');

/**
 * Test months. Each test month is forecast from the data known before it. Months of the seed are divided into regions,
 * because levels differ more between regions than within a region.
 */
const FOLDS = [
  { name: 'United States', file: SEED, from: '2018-04-01', until: '2018-07-01' },
  { name: 'United States', file: SEED, from: '2018-07-01', until: '2018-10-01' },
  { name: 'United States', file: SEED, from: '2018-10-01', until: '2019-01-01' },
  { name: 'New York', file: 'nyc_2017.parquet', from: '2017-04-01', until: '2017-07-01' },
  { name: 'New York', file: 'nyc_2017.parquet', from: '2017-07-01', until: '2017-10-01' },
  {
    name: 'Twenty hubs',
    file: 'us_2024-08_2025-04_20hubs.parquet',
    from: '2024-11-01',
    until: '2025-02-01',
  },
  {
    name: 'Seattle-Portland',
    file: 'pnw_2023_01-10.parquet',
    from: '2023-05-01',
    until: '2023-08-01',
  },
];

/** Longitudes that divide the regions, in degrees: Denver and Albuquerque are West, Chicago and Nashville East. */
const [WEST_END, EAST_START] = [-103, -88];

if (import.meta.main) {
  const [folder = path.join(ROOT, '../shared/data/flights')] = process.argv.slice(2);
  const work = await mkdtemp(path.join(tmpdir(), 'headwind-marks-'));
  try {
    await writeMarks(folder, work);
  } finally {
    await rm(work, { recursive: true });
  }
}

async function writeMarks(folder: string, work: string): Promise<void> {
  const lakes = new Map([[SEED, await createLake(path.join(work, SEED), seedFilesIn(SEED_DIR))]]);
  const folds: Record<string, MarkCase[]> = {};
  for (const { name, file, from, until } of FOLDS) {
    const own = path.join(work, path.parse(file).name);
    const lake = lakes.get(file) ?? (await createLake(own, [path.join(folder, file)]));
    lakes.set(file, lake);
    const { scored, store } = await scoreFold(
      [...new Set([lake, lakes.get(SEED) ?? lake])],
      from,
      until,
    );
    for (const [region, outcomes] of Map.groupBy(scored, (one) => regionOf(one, store, file))) {
      const cases = outcomes.flatMap(toMarkCases);
      folds[`${name}${region}, ${from} to ${until}`] = cases;
      console.log(`${name}${region}, ${from} to ${until}: ${countFlights(cases)} flights`);
    }
  }
  const marks = fitMarks(Object.values(folds));
  await writeFile(MARKS, `${JSON.stringify(sealMarks(marks, folds), null, 2)}\n`);
}

async function createLake(lakeDir: string, files: string[]): Promise<string> {
  const deps = createExtractDeps({ lakeDir, codeVersion: 'marks' });
  for (const file of files) await extractFile({ path: file }, deps, () => undefined);
  return lakeDir;
}

async function scoreFold(lakes: string[], from: string, until: string) {
  const { store: files, training } = await knowledgeAsOf(lakes, from);
  const store = openStore(files);
  const settings = { seed: 1, codeVersion: 'marks', metrics: {} };
  const bytes = trainModel(training, settings, openXgboost(), () => undefined);
  const model = openModel(bytes, MODEL_CONTRACT);
  const outcomes = await readOutcomes(lakes[0] ?? '', from, until);
  return { store, scored: scoreOutcomes(outcomes, store, model, true) };
}

/**
 * For flights of the seed, returns the region of the origin. For other files, returns an empty text, because each of
 * these files is one region.
 */
export function regionOf(
  { outcome }: Pick<ScoredOutcome, 'outcome'>,
  store: ScoreStore,
  file: string,
): string {
  if (file !== SEED) return '';
  const { longitude = 0 } = store.airport(outcome.origin) ?? {};
  if (longitude < WEST_END) return ', West';
  return longitude < EAST_START ? ', middle' : ', East';
}

/**
 * Returns a list with the case for fitting the marks. Returns an empty list if the model has less than its full weight,
 * or if the outcome has no flights.
 */
export function toMarkCases({ outcome, ml, confidence, logOdds }: ScoredOutcome): MarkCase[] {
  const flights = outcome.completed_count + outcome.cancelled_count;
  if (ml === undefined || confidence < 0.5 || flights === 0) return [];
  const disrupted = outcome.delayed_count + outcome.cancelled_count;
  return [{ logOdds, mlProbability: ml, flights, disrupted }];
}

function countFlights(cases: MarkCase[]): number {
  return cases.reduce((sum, { flights }) => sum + flights, 0);
}

/**
 * Returns the marks with provenance and seal. Rates have four decimals and points have one, because the data support no
 * higher precision.
 */
export function sealMarks({ withModel, alone }: ScoreMarks, folds: Record<string, MarkCase[]>) {
  const roundMark = ({ zeroRate, pointsPerDoubling }: ScoreMarks['alone']) => ({
    zeroRate: Number(zeroRate.toFixed(4)),
    pointsPerDoubling: Number(pointsPerDoubling.toFixed(1)),
  });
  const marks = { withModel: roundMark(withModel), alone: roundMark(alone) };
  const misses = Object.entries(folds).map(([name, cases]) => [
    name,
    missesOf([cases], marks.withModel).map((miss) => (Number.isNaN(miss) ? null : miss.toFixed(2))),
  ]);
  const provenance = {
    command: 'make marks',
    meant: '30, 55 and 75 points: 8 %, 17 % and 33 % delayed or cancelled',
    // For each fold: observed minus target log-odds at these scores; null where flights are too few.
    logOddsBeyond: Object.fromEntries(misses) as Record<string, (string | null)[]>,
  };
  return { marks, provenance, seal: sha256(JSON.stringify({ marks, provenance })) };
}
