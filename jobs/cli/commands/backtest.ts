import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { XgboostMissingError } from '../../../models/train/xgboost.ts';
import { NothingToMeasureError } from '../../../pipelines/errors.ts';
import { SourceFormatError, HistoryMissingError } from '../../../warehouse/errors.ts';
import { TooLittleHistoryError } from '../../../pipelines/model/train-model.ts';
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
import { rejectOnAbort, onInterrupt } from '../../processes/signals.ts';
import { compareWith, saveForecasts } from './backtest-forecasts.ts';
import { backtestTables, smallTable } from './backtest-tables.ts';

export type BacktestCommand = Omit<BacktestRequest, 'log'> & {
  json: boolean;
  /** Whether to test small histories. Each small history is a small part of the flights in the files. */
  small: boolean;
  /** File to save the forecasts in. */
  save?: string;
  /** File of saved forecasts to compare with, flight by flight. */
  against?: string;
};

/** Options of the command line. */
export type BacktestOptions = Omit<BacktestCommand, 'files' | 'seedFiles' | 'codeVersion'> & {
  alone: boolean;
  /** Folder of the seed. */
  history: string;
};

/**
 * Prints the figures as one JSON object or as tables, and saves them with an HTML report. Progress goes to standard
 * error. With `small`, prints the figures for each small history, without a report. Throws `CommandError` for
 * unreadable files, and for files with too few flights to train on or to measure.
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
  if (save !== undefined) await saveForecasts(save, forecasts).catch(explainUnsaved);
  const result = { ...forecasts.result, ...paired };
  const json = `${JSON.stringify(result)}\n`;
  out.write(isJson ? json : backtestTables(result));
  const { backtestsDir } = dataPaths(config.dataDir);
  log(`Report: ${await saveReport(backtestsDir, result, json).catch(explainUnsaved)}`);
  return 0;
}

/** Waits for the result; throws `InterruptedError` on Ctrl-C or SIGTERM. */
async function untilInterrupted<T>(result: Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const ignoreSignals = onInterrupt((signal) => interrupt.abort(new InterruptedError(signal)));
  return Promise.race([result, rejectOnAbort(interrupt.signal)]).finally(ignoreSignals);
}

/** Writes the figures and the report, named after the files and the cut date. Returns the path of the report. */
async function saveReport(folder: string, result: FilesBacktest, json: string): Promise<string> {
  const [first = '', ...others] = result.files;
  const and = others.length === 0 ? '' : `-and-${others.length}-more`;
  const rolling = result.origins.length === 1 ? '' : `-rolling-${result.origins.length}`;
  const name = `${first.replace(/\..*/s, '')}${and}-${result.cut}${rolling}`;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${name}.json`), json);
  const page = path.join(folder, `${name}.html`);
  await writeFile(page, backtestPage(result));
  return page;
}

function explainUnsaved(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  throw new CommandError(`The report cannot be written: ${error.message}`, { cause: error });
}

/** Turns errors that a person can act on into `CommandError`s, which are printed without a stack trace. */
function explain(error: unknown): never {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  if (!isExpected || !(error instanceof Error)) throw error;
  throw new CommandError(`The backtest failed: ${error.message}`, { cause: error });
}

const EXPECTED = [
  SourceFormatError,
  HistoryMissingError,
  TooLittleHistoryError,
  NothingToMeasureError,
  XgboostMissingError,
];
