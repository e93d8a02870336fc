import { stat } from 'node:fs/promises';
import { QueryRefusedError, WarehouseBusyError } from '../../../warehouse/errors.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { queryWarehouse, type QueryResult } from '../../../warehouse/query.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { fittedTable } from '../fitted-table.ts';
import { lakeAtHand } from '../lake-at-hand.ts';
import { moment } from '../status/times.ts';
import { count } from '../tables.ts';

export type SqlRequest = { query: string; json?: boolean; csv?: boolean };

const ROWS_SHOWN = 200;
/** Of what goes into a file or another program. */
const MOST_ROWS = 100_000;
/** Jobs wait longer for the file. */
const TIMEOUT_MS = 30_000;
/** Where nothing says how wide the terminal is. */
const WIDTH = 120;

/** Answers a query from the warehouse, which stays as it is; while a job has it, from the copy of the last publish. */
export async function sql(
  context: CommandContext,
  { query, json = false, csv = false }: SqlRequest,
): Promise<number> {
  if (json && csv) throw new CommandError('JSON=1 or CSV=1, not both');
  await lakeAtHand(context, 'size');
  const maxRows = json || csv ? MOST_ROWS : ROWS_SHOWN;
  const { result, copyOf } = await answered(context, query, maxRows).catch((cause: unknown) => {
    throw new CommandError(refusal(cause), { cause });
  });
  if (copyOf !== undefined) {
    context.err.write(`A job has the warehouse: this is of the copy of ${copyOf}.\n`);
  }
  if (json) {
    context.out.write(jsonOf(result));
  } else if (csv) {
    context.out.write(csvOf(result));
  } else {
    const { text, isCut } = tableOf(result, widthOf(context.out));
    context.out.write(text);
    if (isCut) context.err.write('Cut to fit: JSON=1 or CSV=1 shows everything.\n');
  }
  if (result.isCut) {
    context.err.write(`There are more rows: the first ${count(maxRows)} are shown.\n`);
  }
  return 0;
}

async function answered(
  { config }: CommandContext,
  query: string,
  maxRows: number,
): Promise<{ result: QueryResult; copyOf?: string }> {
  const { warehouseFile, readFile, lakeDir } = dataPaths(config.dataDir);
  const limits = { maxRows, timeoutMs: TIMEOUT_MS, lakeDir };
  try {
    return { result: await queryWarehouse(warehouseFile, query, limits) };
  } catch (error) {
    const copy = await stat(readFile).catch(() => undefined);
    if (!(error instanceof WarehouseBusyError) || !copy) throw error;
    const result = await queryWarehouse(readFile, query, limits);
    return { result, copyOf: moment(copy.mtime.toISOString()) };
  }
}

function refusal(cause: unknown): string {
  if (cause instanceof WarehouseBusyError) {
    return `The warehouse is open in ${cause.holder}: make status shows the job. Once something is published, there is a copy to read meanwhile.`;
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return cause instanceof QueryRefusedError ? `Not answered: ${message}` : message;
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

/** As RFC 4180 has it, but for line ends, which are LF. */
function csvOf({ columns, rows }: QueryResult): string {
  const quoted = (cell: string) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = [columns, ...rows.map((row) => row.map(cellText))];
  // A blank line is no row to those who read it.
  const lineOf = (cells: string[]) => cells.map(quoted).join(',') || '""';
  return lines.map((cells) => `${lineOf(cells)}\n`).join('');
}

function cellText(value: QueryResult['rows'][number][number]): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
