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

/** Value of `kind` in the first line of a file of saved forecasts. */
const KIND = 'headwind forecasts 1';

/** Saves the forecasts, one line of JSON per cell, for a later comparison with another history or other code. */
export async function saveForecasts(file: string, { result, cells }: ForecastFiles): Promise<void> {
  const { files, cut, origins } = result;
  const lines = [{ kind: KIND, files, cut, origins }, ...cells].map((line) => JSON.stringify(line));
  await writeFile(file, await promisify(gzip)(`${lines.join('\n')}\n`));
}

/**
 * Compares forecasts with saved forecasts. Throws `CommandError` if the file is unreadable or contains forecasts for
 * other flights.
 */
export async function compareWith(
  file: string,
  { cells }: Pick<ForecastFiles, 'cells'>,
): Promise<Comparison> {
  const savedCells = await readForecasts(file);
  try {
    return compareCells(cells, savedCells);
  } catch (error) {
    if (!(error instanceof OtherFlightsError)) throw error;
    throw new CommandError(`The forecasts in ${file} are for other flights: ${error.message}`, {
      cause: error,
    });
  }
}

async function readForecasts(file: string): Promise<ForecastCell[]> {
  try {
    const text = (await promisify(gunzip)(await readFile(file))).toString();
    const [head = '', ...lines] = text.trimEnd().split('\n');
    if ((JSON.parse(head) as { kind?: string }).kind !== KIND) {
      throw new Error('the file was not written by make backtest SAVE=');
    }
    return lines.map((line) => JSON.parse(line) as ForecastCell);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`Forecasts cannot be read from ${file}: ${why}`, { cause: error });
  }
}
