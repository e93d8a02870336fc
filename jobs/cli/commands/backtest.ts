import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { XgboostMissingError } from '../../../models/train/xgboost.ts';
import { NothingToMeasureError, SourceFormatError } from '../../../pipelines/errors.ts';
import { TooLittleHistoryError } from '../../../pipelines/model/train-model.ts';
import { HistoryMissingError } from '../../../warehouse/errors.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import {
  backtestFiles,
  backtestSmall,
  type BacktestRequest,
  type FilesBacktest,
} from '../../wiring/backtest-files.ts';
import { backtestPage } from '../backtest-page/page.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, InterruptedError } from '../../errors.ts';
import { checkFiles } from '../input-files.ts';
import { aborted, onInterrupt } from '../../processes/signals.ts';
import { compareWith, saveForecasts } from './backtest-forecasts.ts';
import { backtestTables, smallTable } from './backtest-tables.ts';

export type BacktestCommand = Omit<BacktestRequest, 'log'> & {
  json: boolean;
  /** Of small histories cut out of the files. */
  small: boolean;
  /** File to keep the forecasts in. */
  save?: string;
  /** Kept forecasts to hold these against, flight by flight. */
  against?: string;
};

/** What the command line says of it. */
export type BacktestOptions = Omit<BacktestCommand, 'files' | 'seedFiles' | 'codeVersion'> & {
  alone: boolean;
  /** Folder of the seed. */
  history: string;
};

/**
 * Prints the figures as one JSON object or as tables, and keeps them with a page to look at; progress goes to the error
 * stream. With `small`, those of small histories cut out of the files, without a page. Throws `CommandError` for files that cannot be read, or that hold too little to learn from or to measure.
 */
export async function backtest(
  { config, out, err }: Pick<CommandContext, 'config' | 'out' | 'err'>,
  { json: isJson, small, save, against, ...request }: BacktestCommand,
): Promise<number> {
  await checkFiles([...request.files, ...(against === undefined ? [] : [against])]);
  const log = (line: string) => err.write(`${line}\n`);
  if (small) {
    const results = await untilInterrupted(backtestSmall({ ...request, log })).catch(explain);
    out.write(isJson ? `${JSON.stringify(results)}\n` : smallTable(results));
    return 0;
  }
  const forecasts = await untilInterrupted(backtestFiles({ ...request, log })).catch(explain);
  const paired = against === undefined ? {} : { paired: await compareWith(against, forecasts) };
  if (save !== undefined) await saveForecasts(save, forecasts).catch(explainUnkept);
  const result = { ...forecasts.result, ...paired };
  const json = `${JSON.stringify(result)}\n`;
  out.write(isJson ? json : backtestTables(result));
  const { backtestsDir } = dataPaths(config.dataDir);
  log(`Report: ${await keep(backtestsDir, result, json).catch(explainUnkept)}`);
  return 0;
}

/** The result, or an `InterruptedError` when the person does not wait for it. */
async function untilInterrupted<T>(result: Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const ignoreSignals = onInterrupt((signal) => interrupt.abort(new InterruptedError(signal)));
  return Promise.race([result, aborted(interrupt.signal)]).finally(ignoreSignals);
}

/** Writes the figures and the page, named after the files and the cut, and returns the path of the page. */
async function keep(folder: string, result: FilesBacktest, json: string): Promise<string> {
  const [first = '', ...others] = result.files;
  const and = others.length === 0 ? '' : `-and-${others.length}-more`;
  const rolling = result.origins.length === 1 ? '' : `-rolling-${result.origins.length}`;
  const name = `${first.replace(/\..*/s, '')}${and}-${result.cut}${rolling}`;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${name}.json`), json);
  const page = path.join(folder, `${name}.html`);
  await writeFile(page, await backtestPage(result));
  return page;
}

function explainUnkept(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  throw new CommandError(`The report cannot be written: ${error.message}`, { cause: error });
}

/** What a person can do something about is told without a stack trace. */
function explain(error: unknown): never {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  if (!isExpected || !(error instanceof Error)) throw error;
  throw new CommandError(`No back-test: ${error.message}`, { cause: error });
}

const EXPECTED = [
  SourceFormatError,
  HistoryMissingError,
  TooLittleHistoryError,
  NothingToMeasureError,
  XgboostMissingError,
];
