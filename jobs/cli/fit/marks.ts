/** `make marks [SOURCE=folder of flight files]`: fits what a point of the score is worth, and seals it with its provenance. */
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
import { scoreOutcomes, type Scored } from '../../../pipelines/model/score-outcomes.ts';
import { trainModel } from '../../../pipelines/model/train-model.ts';
import { knowledgeAsOf, outcomesOf } from '../../../warehouse/build/as-of.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { sha256 } from '../../../warehouse/ground/sha256.ts';
import { SEED_DIR, seedFilesIn } from '../program/arguments.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
/** Stands for all that ships with the code. */
const SEED = 'seed';
const MARKS = path.join(ROOT, 'models/score-marks.json');

/** Months forecast from what was known before them; those of the seed by region, for levels differ more between than within. */
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

/** Degrees east that part the country: Denver and Albuquerque are the West's, Chicago and Nashville the East's. */
const [WEST, EAST] = [-103, -88];

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
  const lakes = new Map([[SEED, await lakeOf(path.join(work, SEED), seedFilesIn(SEED_DIR))]]);
  const folds: Record<string, MarkCase[]> = {};
  for (const { name, file, from, until } of FOLDS) {
    const own = path.join(work, path.parse(file).name);
    const lake = lakes.get(file) ?? (await lakeOf(own, [path.join(folder, file)]));
    lakes.set(file, lake);
    const { scored, store } = await forecast(
      [...new Set([lake, lakes.get(SEED) ?? lake])],
      from,
      until,
    );
    for (const [region, some] of Map.groupBy(scored, (one) => regionOf(one, store, file))) {
      const cases = some.flatMap(caseOf);
      folds[`${name}${region}, ${from} to ${until}`] = cases;
      console.log(`${name}${region}, ${from} to ${until}: ${flightsOf(cases)} flights`);
    }
  }
  const marks = fitMarks(Object.values(folds));
  await writeFile(MARKS, `${JSON.stringify(sealed(marks, folds), null, 2)}\n`);
}

async function lakeOf(lakeDir: string, files: string[]): Promise<string> {
  const deps = createExtractDeps({ lakeDir, codeVersion: 'marks' });
  for (const file of files) await extractFile({ path: file }, deps, () => undefined);
  return lakeDir;
}

async function forecast(lakes: string[], from: string, until: string) {
  const { store: files, training } = await knowledgeAsOf(lakes, from);
  const store = openStore(files);
  const settings = { seed: 1, codeVersion: 'marks', metrics: {} };
  const bytes = trainModel(training, settings, openXgboost(), () => undefined);
  const model = openModel(bytes, MODEL_CONTRACT);
  const outcomes = await outcomesOf(lakes[0] ?? '', from, until);
  return { store, scored: scoreOutcomes(outcomes, store, model, true) };
}

/** Of flights of the seed, by where they leave from; other files are a region of their own. */
export function regionOf(
  { outcome }: Pick<Scored, 'outcome'>,
  store: ScoreStore,
  file: string,
): string {
  if (file !== SEED) return '';
  const { longitude = 0 } = store.airport(outcome.origin) ?? {};
  if (longitude < WEST) return ', West';
  return longitude < EAST ? ', middle' : ', East';
}

/** What tells of the marks: flights the model has its full share in. */
export function caseOf({ outcome, ml, confidence, logOdds }: Scored): MarkCase[] {
  const flights = outcome.completed_count + outcome.cancelled_count;
  if (ml === undefined || confidence < 0.5 || flights === 0) return [];
  const disrupted = outcome.delayed_count + outcome.cancelled_count;
  return [{ logOdds, mlProbability: ml, flights, disrupted }];
}

function flightsOf(cases: MarkCase[]): number {
  return cases.reduce((sum, { flights }) => sum + flights, 0);
}

/** Rates to a ten-thousandth, points to a tenth: the data tell no more. */
export function sealed({ withModel, alone }: ScoreMarks, folds: Record<string, MarkCase[]>) {
  const rounded = ({ zeroRate, pointsPerDoubling }: ScoreMarks['alone']) => ({
    zeroRate: Number(zeroRate.toFixed(4)),
    pointsPerDoubling: Number(pointsPerDoubling.toFixed(1)),
  });
  const marks = { withModel: rounded(withModel), alone: rounded(alone) };
  const missed = Object.entries(folds).map(([name, cases]) => [
    name,
    missesOf([cases], marks.withModel).map((miss) => (Number.isNaN(miss) ? null : miss.toFixed(2))),
  ]);
  const provenance = {
    command: 'make marks',
    meant: '30, 55 and 75 points: 8 %, 17 % and 33 % delayed or cancelled',
    // Of each fold, at those scores, what came beyond what is meant; null where hardly a flight has the score.
    logOddsBeyond: Object.fromEntries(missed) as Record<string, (string | null)[]>,
  };
  return { marks, provenance, seal: sha256(JSON.stringify({ marks, provenance })) };
}
