import { XgboostMissingError } from '../../models/train/xgboost.ts';
import { NothingToMeasureError, SourceFormatError } from '../../pipelines/errors.ts';
import { TooLittleHistoryError } from '../../pipelines/model/train.ts';
import { HistoryMissingError } from '../../warehouse/errors.ts';
import { backtestFiles, type BacktestRequest } from '../backtest-files.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../errors.ts';
import { checkFiles } from '../input-files.ts';
import { backtestTables } from './backtest-tables.ts';

/**
 * Prints the figures as one JSON object or as tables; progress goes to the error stream. Throws `CommandError` for
 * files that cannot be read, or that hold too little to learn from or to measure.
 */
export async function backtest(
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
  request: Omit<BacktestRequest, 'log'> & { json: boolean },
): Promise<number> {
  await checkFiles(request.files);
  const log = (line: string) => err.write(`${line}\n`);
  const result = await backtestFiles({ ...request, log }).catch(explain);
  out.write(request.json ? `${JSON.stringify(result)}\n` : backtestTables(result));
  return 0;
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
