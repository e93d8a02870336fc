import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { type Model, openModel } from '../../models/onnx/model.ts';
import type { TreeProgress } from '../../models/train/trees.ts';
import { openXgboost } from '../../models/train/xgboost.ts';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import { backtest, type Backtest, type BacktestDeps } from '../../pipelines/model/backtest.ts';
import type { Comparison, ForecastCell } from '../../pipelines/model/forecast-cells.ts';
import { levelBacktest, type LevelBacktest } from '../../pipelines/model/level-backtest.ts';
import { smallBacktests, type SmallBacktest } from '../../pipelines/model/small-histories.ts';
import { trainModel } from '../../pipelines/model/train-model.ts';
import { JSON_TABLES } from '../../pipelines/providers/index.ts';
import { knowledgeAsOf, readOutcomes } from '../../warehouse/build/as-of.ts';
import { forecastLevelCells } from '../../warehouse/build/level-cells.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { readManifests, type DelayBasis } from '../../warehouse/lake/lake.ts';
import { readLevelManifests } from '../../warehouse/lake/level-lake.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { TrainingData } from '../../warehouse/build/training-rows.ts';
import { onInterrupt } from '../processes/signals.ts';

export type BacktestRequest = {
  files: string[];
  /** First day that is forecast, `YYYY-MM-DD`. */
  cut: string;
  /**
   * Number of months after which the forecasts are made again. Each new forecast uses all history up to the day on
   * which it is made. If absent, all forecasts are made on the day `cut`.
   */
  every?: number;
  /** Year of the flights, if a file does not contain it. */
  year?: number;
  /**
   * Files of the history that ships with the code. They supply the months that `files` lacks. The list may be empty.
   */
  seedFiles: string[];
  /**
   * Whether forecasts use only the history that ships with the code. `files` then supplies only the flights that are
   * forecast, from the day `cut` on. Earlier flights in `files` are ignored.
   */
  box?: boolean;
  codeVersion: string;
  log: (line: string) => void;
};

/** A backtest and its data. If some months have only departure delays, `delayBasis` is `departure`. */
export type FilesBacktest = Backtest & {
  files: string[];
  delayBasis: DelayBasis;
  /** Comparison with the forecasts of another backtest. */
  paired?: Comparison;
};

export type ForecastFiles = {
  result: FilesBacktest;
  cells: ForecastCell[];
};

/** Folders of two lakes: one for `files`, and one for the history that ships with the code. */
type Lakes = { lake: string; seedLake: string };

/** A day before all flights. */
const START = '0001-01-01';

const SEED = 1;

/**
 * Trains on the flights before the day `cut`, from the files and the shipped history. Then forecasts the flights in the
 * files from this day on, and tests the forecasts. If the files have no flights before the day, trains on the shipped
 * history only.
 */
export function backtestFiles(request: BacktestRequest): Promise<ForecastFiles> {
  const { cut, every, box } = request;
  return withFileLakes(request, async ({ lake, seedLake }) => {
    const months = await readManifests(lake);
    const isDeparture = months.some(({ delayBasis }) => delayBasis === 'departure');
    const deps = createBacktestDeps({ lake, seedLake }, request);
    const { result, cells } = await backtest(
      cut,
      {
        ...deps,
        ...(box && {
          outcomesOf: (from, until) => readOutcomes(lake, from < cut ? cut : from, until),
        }),
        knowledgeAsOf: (day) => knowledgeAsOf(box ? [seedLake] : [lake, seedLake], day),
      },
      every,
    );
    return {
      result: {
        files: request.files.map((file) => path.basename(file)),
        delayBasis: isDeparture ? 'departure' : 'arrival',
        ...result,
      },
      cells,
    };
  });
}

/** Runs backtests on small parts of the files' history. Each backtest uses only its part, not the seed. */
export function backtestSmall({
  seedFiles: _,
  ...request
}: BacktestRequest): Promise<SmallBacktest[]> {
  return withFileLakes({ ...request, seedFiles: [] }, (lakes) =>
    smallBacktests(request.cut, {
      ...createBacktestDeps(lakes, request),
      knowledgeAsOf: (day, part) => knowledgeAsOf([lakes.lake], day, part),
    }),
  );
}

/**
 * Forecasts months of a delay-cause table. The first forecast is for the first month that begins on or after the cut.
 * Each month is forecast from the data published before it began.
 */
export function backtestLevels(request: BacktestRequest): Promise<LevelBacktest> {
  return withFileLakes(request, ({ lake }) =>
    levelBacktest(request.cut, {
      months: async () => (await readLevelManifests(lake)).map(({ month }) => month),
      cellsOf: (month) => forecastLevelCells(lake, month),
      log: request.log,
    }),
  );
}

/**
 * Ingests the files, and the shipped history if it exists, into two lakes in a temporary data folder. Removes the
 * folder when `work` ends, or on Ctrl-C. The caller must end the process on Ctrl-C.
 */
export async function withFileLakes<T>(
  { files, seedFiles, year, ...settings }: Omit<BacktestRequest, 'cut'>,
  work: (lakes: Lakes) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-backtest-'));
  const ignoreSignals = onInterrupt(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const [lake, seedLake] = [path.join(folder, 'lake'), path.join(folder, 'seed')];
    for (const file of files) {
      await extract(file, lake, { ...settings, ...(year !== undefined && { year }) });
    }
    for (const file of seedFiles.filter(existsSync)) await extract(file, seedLake, settings);
    return await work({ lake, seedLake });
  } finally {
    ignoreSignals();
    await rm(folder, { recursive: true, force: true });
  }
}

async function extract(
  file: string,
  lakeDir: string,
  { codeVersion, year, log }: Pick<BacktestRequest, 'codeVersion' | 'year' | 'log'>,
): Promise<void> {
  log(`reading ${path.basename(file)}`);
  const deps = createExtractDeps({ lakeDir, codeVersion, jsonTables: JSON_TABLES });
  const source = { path: file, ...(year !== undefined && { year }) };
  const { notes } = await extractFile(source, deps, () => undefined);
  for (const note of notes) log(note);
}

/** Returns the functions that a backtest needs, except the function that reads the data known on a day. */
export function createBacktestDeps(
  { lake, seedLake }: Lakes,
  { codeVersion, log }: Pick<BacktestRequest, 'codeVersion' | 'log'>,
): Omit<BacktestDeps, 'knowledgeAsOf'> {
  const xgboost = openXgboost();
  const trainOn = (data: TrainingData, progress: TreeProgress, plain = false) =>
    trainModel(data, { seed: SEED, codeVersion, metrics: {}, plain }, xgboost, progress);
  return {
    outcomesOf: (from, until) => readOutcomes(lake, from, until),
    historyBefore: (day) => readOutcomes(seedLake, START, day),
    openStore,
    train: ({ training }, what) =>
      openTrained(
        trainOn(training, (done, limit) => {
          if (done % 50 === 0) log(`${what}: tree ${done} of at most ${limit}`);
        }),
      ),
    trainPlain: ({ training }) => openTrained(trainOn(training, () => undefined, true)),
    log,
  };
}

function openTrained(bytes: Uint8Array): Model {
  return openModel(bytes, MODEL_CONTRACT);
}
