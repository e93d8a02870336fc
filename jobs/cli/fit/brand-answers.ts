import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pairedFigures, type PairedFigure } from '../../../models/evaluate/paired.ts';
import { MODEL_CONTRACT } from '../../../models/features.ts';
import { openModel, type Model } from '../../../models/onnx/model.ts';
import { openXgboost } from '../../../models/train/xgboost.ts';
import type { FlightQuery } from '../../../models/types.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import {
  queryOf,
  scoreOutcomes,
  type ScoredOutcome,
} from '../../../pipelines/model/score-outcomes.ts';
import { trainModel } from '../../../pipelines/model/train-model.ts';
import { blocksOf } from '../../../pipelines/model/trial.ts';
import { knowledgeAsOf, readOutcomes, type Outcome } from '../../../warehouse/build/as-of.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { SEED_DIR, seedFilesIn } from '../program/arguments.ts';
import { table } from '../tables.ts';

/** Files with flights of 2024: every flight between 20 hubs from August on, every flight from Arizona, and a sample. */
const FILES = ['us_2024-08_2025-04_20hubs.parquet', 'az_2024.parquet', 'us_2024_sample_a.csv.gz'];

/** First day of the test, and the day after its last day. The forecasts use only the data before the first day. */
const [FIRST, UNTIL] = ['2024-01-01', '2025-01-01'];

/**
 * Forecasts each flight of 2024 in three ways, from the seed's history before 2024, and compares the forecasts flight
 * by flight:
 * - as a flight that its brand sells
 * - as a flight of its operator
 * - as a flight that its brand operates.
 * Only includes routes on which partners operate flights of the brand. The sources do not name the brand of a flight,
 * so the most likely brand is used.
 */
export async function compareBrandAnswers(dataDir: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-brands-'));
  try {
    const seedLake = await createLake(path.join(folder, 'seed'), seedFilesIn(SEED_DIR));
    const { store: files, training } = await knowledgeAsOf([seedLake], FIRST);
    const settings = { seed: 1, codeVersion: 'test', metrics: {} };
    const bytes = trainModel(training, settings, openXgboost(), () => undefined);
    const model = openModel(bytes, MODEL_CONTRACT);
    const store = openStore(files);
    for (const file of FILES) {
      const source = path.join(dataDir, 'flights', file);
      const lake = await createLake(path.join(folder, path.parse(file).name), [source]);
      console.log(
        `\n${file}: flights of brands with partners, and the difference between brand and operator forecasts`,
      );
      printComparison(pairsOf(await readOutcomes(lake, FIRST, UNTIL), store, model));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Pair = [name: string, ours: ScoredOutcome[], theirs: ScoredOutcome[]];

/** Scores the flights of brands with partners, and returns the forecasts to compare. */
function pairsOf(outcomes: Outcome[], store: ScoreStore, model: Model): Pair[] {
  const brands = new Map(
    outcomes.flatMap((outcome) => {
      const brand = likeliestBrand(outcome, store);
      return brand === undefined ? [] : [[outcome, brand] as const];
    }),
  );
  const score = (query: (brand: string, operated: FlightQuery) => FlightQuery) =>
    scoreOutcomes([...brands.keys()], store, model, true, (outcome, withHour) =>
      query(brands.get(outcome) ?? '', queryOf(outcome, withHour)),
    );
  const asBrand = score((brand, operated) => ({ ...operated, carrier: brand, isBrand: true }));
  const asOperator = score((_, operated) => operated);
  const asCode = score((brand, operated) => ({ ...operated, carrier: brand }));
  const isPartner = ({ outcome }: ScoredOutcome) => brands.get(outcome) !== outcome.carrier;
  const pair = (
    name: string,
    theirs: ScoredOutcome[],
    isPart: (one: ScoredOutcome) => boolean,
  ): Pair => [name, asBrand.filter(isPart), theirs.filter(isPart)];
  return [
    pair('all flights: brand against operator of the code', asCode, () => true),
    pair('flights of partners: brand against operator of the code', asCode, isPartner),
    pair('flights of partners: brand against actual operator', asOperator, isPartner),
    pair(
      'flights that the brand operates: brand against operator',
      asOperator,
      (one) => !isPartner(one),
    ),
  ];
}

async function createLake(lakeDir: string, files: string[]): Promise<string> {
  const deps = createExtractDeps({ lakeDir, codeVersion: 'test' });
  for (const file of files) await extractFile({ path: file }, deps, () => undefined);
  return lakeDir;
}

/**
 * Returns the brand that sells most of the operator's flights on the route. Returns undefined if no brand with partners
 * sells any of them.
 */
function likeliestBrand({ origin, dest, carrier }: Outcome, store: ScoreStore): string | undefined {
  const sold = store.brandsOnRoute(origin, dest).flatMap((brand) => {
    const operators = store.brand(origin, dest, brand)?.operators ?? [];
    const own = operators.find((one) => one.carrier === carrier);
    return own ? [{ brand, flights: own.stats.flightCount }] : [];
  });
  return sold.toSorted((a, b) => b.flights - a.flights)[0]?.brand;
}

/** The forecasts that are compared: the model's forecast, and the forecast of the statistics alone. */
const FORECASTS = {
  model: ({ ml }: ScoredOutcome) => ml,
  statistics: ({ logOdds }: ScoredOutcome) => expit(logOdds),
};

function printComparison(pairs: Pair[]): void {
  const rows = pairs.flatMap(([name, ours, theirs]) =>
    Object.entries(FORECASTS).map(([method, forecast]) => {
      const blocks = blocksOf(ours.map(({ outcome }) => outcome));
      const cases = ours.flatMap((one, at) => {
        const [p, other] = [forecast(one), forecast(theirs[at]!)];
        const { completed_count: flights, delayed_count: delayed } = one.outcome;
        if (p === undefined || other === undefined || flights === 0) return [];
        return { cluster: blocks[at]!, flights, delayed, ours: p, theirs: other };
      });
      const { n, clusters, auc, brier, logLoss } = pairedFigures(cases);
      const figures = [auc, brier, logLoss].map(difference);
      return [name, method, String(n), String(clusters), ...figures];
    }),
  );
  console.log(table(['flights', 'forecast', 'number', 'blocks', 'AUC', 'Brier', 'log loss'], rows));
}

function difference({ difference: by, noise }: PairedFigure): string {
  return `${by < 0 ? '' : '+'}${by.toFixed(5)} ± ${noise.toFixed(5)}`;
}
