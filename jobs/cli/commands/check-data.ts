import { existsSync } from 'node:fs';
import { checkNow, type FoundNow } from '../../../warehouse/build/check-now.ts';
import { CHECKS } from '../../../warehouse/build/models.ts';
import type { CellObject } from '../../../warehouse/connect.ts';
import { WarehouseBusyError } from '../../../warehouse/errors.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import { fittedTable } from '../fitted-table.ts';
import { count, table } from '../tables.ts';

/** Of one check, the rows that are printed. */
const ROWS_SHOWN = 50;
const WIDTH = 120;

/**
 * Runs the checks on what is loaded now and prints what they find, of a single one the rows; nothing is kept or built. 1 when an
 * error check finds something.
 */
export async function checkData(
  context: CommandContext,
  { select }: { select?: string },
): Promise<number> {
  if (select !== undefined && !CHECKS.includes(select)) {
    throw new CommandError(`There is no check ${select}. There are: ${CHECKS.join(', ')}`);
  }
  const names = select === undefined ? CHECKS : [select];
  const found = await foundNow(context, names).catch((cause: unknown) => {
    if (!(cause instanceof Error) || !cause.message.startsWith('Catalog Error')) throw cause;
    // A warehouse without a build, or with one of older code, lacks what a check reads.
    throw new CommandError('The marts are not those of this code: make features', { cause });
  });
  const [only] = found;
  context.out.write(select !== undefined && only ? oneText(only, context.out) : allText(found));
  return found.some(({ severity, rows }) => severity === 'error' && rows.length > 0) ? 1 : 0;
}

async function foundNow({ config, err, now }: CommandContext, names: readonly string[]) {
  const { warehouseFile, readFile } = dataPaths(config.dataDir);
  if (!existsSync(warehouseFile)) throw new CommandError('Nothing is loaded yet: make ingest');
  try {
    return await checkNow(warehouseFile, now(), names);
  } catch (error) {
    if (!(error instanceof WarehouseBusyError) || !existsSync(readFile)) throw error;
    err.write('A job has the warehouse: this is of the copy of the last publish.\n');
    return checkNow(readFile, now(), names);
  }
}

function allText(found: FoundNow[]): string {
  const rows = found.map((one) => [
    one.check,
    result(one),
    count(one.rows.length),
    one.before === undefined ? '' : count(one.before),
    one.bounds.map(({ name, value }) => `${name} ${value}`).join(', '),
  ]);
  const text = table(['check', 'result', 'rows found', 'last build', 'bounds'], rows);
  return `${text}\nThe rows of one: make check-data SELECT=name. Its history: make sql Q="from checks_history"\n`;
}

function oneText(one: FoundNow, out: NodeJS.WritableStream): string {
  const { columns: width = WIDTH } = out as Partial<NodeJS.WriteStream>;
  const bounds = one.bounds.map(({ name, value, meaning }) => `  ${name} = ${value}: ${meaning}`);
  const head = [`${one.check} (${one.severity}): ${one.finds}`, ...bounds, result(one)];
  const [first] = one.rows;
  if (first === undefined) return `${head.join('\n')}\n`;
  const columns = Object.keys(first);
  const cells = one.rows.slice(0, ROWS_SHOWN).map((row) => columns.map((name) => cell(row, name)));
  const shown = one.rows.length > ROWS_SHOWN ? `, the first ${ROWS_SHOWN} shown` : '';
  const { text } = fittedTable(columns, cells, { width });
  return `${head.join('\n')}\n${text}\n${count(one.rows.length)} rows${shown}\n`;
}

function cell(row: CellObject, name: string): string {
  const value = row[name];
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function result({ severity, rows }: FoundNow): 'passed' | 'warning' | 'failed' {
  if (rows.length === 0) return 'passed';
  return severity === 'error' ? 'failed' : 'warning';
}
