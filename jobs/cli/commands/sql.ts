import { stat } from 'node:fs/promises';
import { QueryRefusedError, WarehouseBusyError } from '../../../warehouse/errors.ts';
import { dataPaths, HOME_PROVIDER, providerPaths } from '../../../warehouse/paths.ts';
import { queryWarehouse, type QueryResult } from '../../../warehouse/query.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { fittedTable } from '../fitted-table.ts';
import { refreshLake } from '../lake-refresh.ts';
import { moment } from '../../../warehouse/ground/duration.ts';
import { checkProvider } from '../undo-targets.ts';
import { count } from '../tables.ts';

export type SqlRequest = { query: string; provider?: string; json?: boolean; csv?: boolean };

const ROWS_SHOWN = 200;
/** Limit of rows in JSON and CSV. */
const MAX_ROWS = 100_000;
/** Time limit of a query. Jobs wait longer for the warehouse, so no query makes them fail. */
const TIMEOUT_MS = 30_000;
/** Width of a table if the width of the output is unknown. */
const WIDTH = 120;

/**
 * Runs a read-only query on the warehouse. While a job uses the warehouse, queries the copy of the last publish
 * instead.
 */
export async function sql(
  context: CommandContext,
  { query, provider, json = false, csv = false }: SqlRequest,
): Promise<number> {
  if (json && csv) throw new CommandError('Give JSON=1 or CSV=1, not both');
  await refreshLake(context, 'size');
  const maxRows = json || csv ? MAX_ROWS : ROWS_SHOWN;
  const { result, copiedAt } = await runQuery(context, { query, provider }, maxRows).catch(
    (cause: unknown) => {
      throw new CommandError(explainFailure(cause), { cause });
    },
  );
  if (copiedAt !== undefined) {
    context.err.write(
      `A job is using the warehouse; the result is from the copy of ${copiedAt}.\n`,
    );
  }
  if (json) {
    context.out.write(jsonOf(result));
  } else if (csv) {
    context.out.write(csvOf(result));
  } else {
    const { text, isCut } = tableOf(result, widthOf(context.out));
    context.out.write(text);
    if (isCut) context.err.write('Some values are cut to fit; JSON=1 or CSV=1 prints them all.\n');
  }
  if (result.isTruncated) {
    context.err.write(`There are more rows; only the first ${count(maxRows)} are printed.\n`);
  }
  return 0;
}

async function runQuery(
  { config }: CommandContext,
  { query, provider }: { query: string; provider: string | undefined },
  maxRows: number,
): Promise<{ result: QueryResult; copiedAt?: string }> {
  const { warehouseFile, readFile, lakeDir } = providerPaths(
    dataPaths(config.dataDir),
    checkProvider(provider) ?? HOME_PROVIDER,
  );
  const limits = { maxRows, timeoutMs: TIMEOUT_MS, lakeDir };
  try {
    return { result: await queryWarehouse(warehouseFile, query, limits) };
  } catch (error) {
    const copy = await stat(readFile).catch(() => undefined);
    if (!(error instanceof WarehouseBusyError) || !copy) throw error;
    const result = await queryWarehouse(readFile, query, limits);
    return { result, copiedAt: moment(copy.mtime.toISOString()) };
  }
}

function explainFailure(cause: unknown): string {
  if (cause instanceof WarehouseBusyError) {
    return `The warehouse is in use by ${cause.holder}; make status shows the job. After the first publish, queries can use a copy instead of waiting.`;
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return cause instanceof QueryRefusedError ? `Query refused: ${message}` : message;
}

function widthOf(out: NodeJS.WritableStream): number {
  const { columns } = out as Partial<NodeJS.WriteStream>;
  return columns === undefined || columns === 0 ? WIDTH : columns;
}

function tableOf({ columns, rows, about }: QueryResult, width: number) {
  const cells = rows.map((row) => row.map(cellText));
  const shown = `${count(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`;
  const { text, isCut } = fittedTable(columns, cells, { width, wraps: about !== undefined });
  const head = about === undefined ? '' : `${about}\n`;
  return { text: `${head}${text}\n${shown}\n`, isCut };
}

function jsonOf({ columns, rows }: QueryResult): string {
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index]])),
  );
  return `${JSON.stringify(objects, null, 2)}\n`;
}

/** Formats CSV by RFC 4180, but ends lines with LF. */
function csvOf({ columns, rows }: QueryResult): string {
  const quoted = (cell: string) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = [columns, ...rows.map((row) => row.map(cellText))];
  // Readers of CSV skip an empty line, so an empty row is written as `""`.
  const lineOf = (cells: string[]) => cells.map(quoted).join(',') || '""';
  return lines.map((cells) => `${lineOf(cells)}\n`).join('');
}

function cellText(value: QueryResult['rows'][number][number]): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
