import { QueryRefusedError, WarehouseBusyError } from '../../../warehouse/errors.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { queryWarehouse, type QueryResult } from '../../../warehouse/query.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { count, table } from '../tables.ts';

export type SqlRequest = { query: string; json: boolean };

const ROWS_SHOWN = 200;
const JSON_ROWS = 100_000;
/** Jobs wait twice as long for the file before they fail. */
const TIMEOUT_MS = 30_000;

/** Answers a query from the warehouse, which stays as it is. */
export async function sql(context: CommandContext, { query, json }: SqlRequest): Promise<number> {
  const { warehouseFile } = dataPaths(context.config.dataDir);
  const maxRows = json ? JSON_ROWS : ROWS_SHOWN;
  const result = await queryWarehouse(warehouseFile, query, {
    maxRows,
    timeoutMs: TIMEOUT_MS,
  }).catch((cause: unknown) => {
    throw new CommandError(refusal(cause), { cause });
  });
  context.out.write(json ? jsonOf(result) : tableOf(result));
  if (result.isCut) {
    context.err.write(`There are more rows: the first ${count(maxRows)} are shown.\n`);
  }
  return 0;
}

function refusal(cause: unknown): string {
  if (cause instanceof WarehouseBusyError) {
    return 'A job has the warehouse open: make status shows which one. Try again when it is done.';
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return cause instanceof QueryRefusedError ? `Not answered: ${message}` : message;
}

function tableOf({ columns, rows }: QueryResult): string {
  const cells = rows.map((row) => row.map(cellText));
  const shown = `${count(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`;
  return `${table(columns, cells)}\n${shown}\n`;
}

function jsonOf({ columns, rows }: QueryResult): string {
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index]])),
  );
  return `${JSON.stringify(objects, null, 2)}\n`;
}

function cellText(value: QueryResult['rows'][number][number]): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
