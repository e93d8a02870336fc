import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  compareCells,
  OtherFlightsError,
  type Comparison,
  type ForecastCell,
} from '../../../pipelines/model/forecast-cells.ts';
import type { ForecastFiles } from '../../wiring/backtest-files.ts';
import { CommandError } from '../../errors.ts';

/** What the first line of a file of forecasts says it is. */
const KIND = 'headwind forecasts 1';

/** Keeps the forecasts, a line of JSON for each cell, so that those of another history or code can be held against them. */
export async function saveForecasts(file: string, { result, cells }: ForecastFiles): Promise<void> {
  const { files, cut, origins } = result;
  const lines = [{ kind: KIND, files, cut, origins }, ...cells].map((one) => JSON.stringify(one));
  await writeFile(file, await promisify(gzip)(`${lines.join('\n')}\n`));
}

/** Ours against the forecasts kept in a file; throws `CommandError` where those are none, or of other flights. */
export async function compareWith(
  file: string,
  { cells }: Pick<ForecastFiles, 'cells'>,
): Promise<Comparison> {
  const theirs = await readForecasts(file);
  try {
    return compareCells(cells, theirs);
  } catch (error) {
    if (!(error instanceof OtherFlightsError)) throw error;
    throw new CommandError(`${file} forecasts other flights: ${error.message}`, { cause: error });
  }
}

async function readForecasts(file: string): Promise<ForecastCell[]> {
  try {
    const text = (await promisify(gunzip)(await readFile(file))).toString();
    const [head = '', ...lines] = text.trimEnd().split('\n');
    if ((JSON.parse(head) as { kind?: string }).kind !== KIND) throw new Error('of another kind');
    return lines.map((line) => JSON.parse(line) as ForecastCell);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`No forecasts can be read from ${file}: ${why}`, { cause: error });
  }
}
