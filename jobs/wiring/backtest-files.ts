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
import { knowledgeAsOf, outcomesOf } from '../../warehouse/build/as-of.ts';
import { levelCells } from '../../warehouse/build/level-cells.ts';
import { createExtractDeps } from '../../warehouse/extract/extract.ts';
import { readManifests, type DelayBasis } from '../../warehouse/lake/lake.ts';
import { levelManifests } from '../../warehouse/lake/level-lake.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { TrainingData } from '../../warehouse/build/training-rows.ts';
import { onInterrupt } from '../processes/signals.ts';

export type BacktestRequest = {
  files: string[];
  /** First day that is forecast, `YYYY-MM-DD`. */
  cut: string;
  /** Months after which the forecasts begin anew with what is known then; absent: all begin at the cut. */
  every?: number;
  /** Of the flights, where a file does not say it. */
  year?: number;
  /** The history that ships with the code, for the months the files do not have; without any the files are all there is. */
  seedFiles: string[];
  /** That history is all there is: nothing of the files is known, whatever they hold before the cut. */
  box?: boolean;
  codeVersion: string;
  log: (line: string) => void;
};

/** A back-test and what it was done on; where some months know departures alone, the basis is theirs. */
export type FilesBacktest = Backtest & {
  files: string[];
  delayBasis: DelayBasis;
  /** Against the forecasts of another back-test. */
  paired?: Comparison;
};

export type ForecastFiles = {
  result: FilesBacktest;
  cells: ForecastCell[];
};

/** The months of the files, and those of what ships. */
type Lakes = { lake: string; seedLake: string };

/** A day before all flights. */
const START = '0001-01-01';

const SEED = 1;

/**
 * Trains before the cut on the files and on what ships with the code, on the latter alone where the files hold nothing
 * before it, and measures on the files from it on.
 */
export function backtestFiles(request: BacktestRequest): Promise<ForecastFiles> {
  const { cut, every, box } = request;
  return inThrowAwayLakes(request, async ({ lake, seedLake }) => {
    const months = await readManifests(lake);
    const isDeparture = months.some(({ delayBasis }) => delayBasis === 'departure');
    const deps = depsOf({ lake, seedLake }, request);
    const { result, cells } = await backtest(
      cut,
      {
        ...deps,
        ...(box && {
          outcomesOf: (from, until) => outcomesOf(lake, from < cut ? cut : from, until),
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

/** Back-tests of small histories cut out of the files; each is all that is known, the seed is not. */
export function backtestSmall({
  seedFiles: _,
  ...request
}: BacktestRequest): Promise<SmallBacktest[]> {
  return inThrowAwayLakes({ ...request, seedFiles: [] }, (lakes) =>
    smallBacktests(request.cut, {
      ...depsOf(lakes, request),
      knowledgeAsOf: (day, part) => knowledgeAsOf([lakes.lake], day, part),
    }),
  );
}

/** Forecasts of the months of a delay-cause table from the cut on, each from what was out when it began. */
export function backtestLevels(request: BacktestRequest): Promise<LevelBacktest> {
  return inThrowAwayLakes(request, ({ lake }) =>
    levelBacktest(request.cut, {
      months: async () => (await levelManifests(lake)).map(({ month }) => month),
      cellsOf: (month) => levelCells(lake, month),
      log: request.log,
    }),
  );
}

/**
 * Ingests the files, and the seed where there is one, into a throw-away data folder. It goes with Ctrl-C, too; who calls
 * has to end the process then.
 */
async function inThrowAwayLakes<T>(
  { files, seedFiles, year, ...settings }: BacktestRequest,
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
  const deps = createExtractDeps({ lakeDir, codeVersion });
  const source = { path: file, ...(year !== undefined && { year }) };
  const { notes } = await extractFile(source, deps, () => undefined);
  for (const note of notes) log(note);
}

function depsOf(
  { lake, seedLake }: Lakes,
  { codeVersion, log }: Pick<BacktestRequest, 'codeVersion' | 'log'>,
): Omit<BacktestDeps, 'knowledgeAsOf'> {
  const xgboost = openXgboost();
  const trained = (data: TrainingData, progress: TreeProgress, plain = false) =>
    trainModel(data, { seed: SEED, codeVersion, metrics: {}, plain }, xgboost, progress);
  return {
    outcomesOf: (from, until) => outcomesOf(lake, from, until),
    historyBefore: (day) => outcomesOf(seedLake, START, day),
    openStore,
    train: ({ training }, what) =>
      opened(
        trained(training, (done, most) => {
          if (done % 50 === 0) log(`${what}: tree ${done} of at most ${most}`);
        }),
      ),
    trainPlain: ({ training }) => opened(trained(training, () => undefined, true)),
    log,
  };
}

function opened(bytes: Uint8Array): Model {
  return openModel(bytes, MODEL_CONTRACT);
}
