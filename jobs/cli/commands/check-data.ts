import { existsSync } from 'node:fs';
import { checkNow, type CurrentFindings } from '../../../warehouse/build/check-now.ts';
import type { Threshold } from '../../../warehouse/build/check-header.ts';
import { CHECKS } from '../../../warehouse/build/models.ts';
import { readUserSql, type UserFile } from '../../../warehouse/build/user-sql.ts';
import type { CellObject } from '../../../warehouse/connect.ts';
import { WarehouseBusyError } from '../../../warehouse/errors.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { CommandError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import { fittedTable } from '../fitted-table.ts';
import { count, countOf, table } from '../tables.ts';

/** Maximum number of printed rows of a check. */
const ROWS_SHOWN = 50;
/** Width of a table if the width of the output is unknown. */
const WIDTH = 120;

/**
 * Runs the checks on the loaded data and prints the number of rows that fail each check. With `select`, prints the rows
 * that fail one check. Builds and stores nothing. Returns 1 if a row is an error.
 */
export async function checkData(
  context: CommandContext,
  { select }: { select?: string },
): Promise<number> {
  const { checks: userChecks } = await readUserSql(context.config.userSqlDir);
  const own = userChecks.map((file) => ({ ...file, check: file.name.replace('checks/', '') }));
  const all = [...CHECKS, ...own.map(({ check }) => check)];
  if (select !== undefined && !all.includes(select)) {
    throw new CommandError(`Unknown check ${select}. The checks are: ${all.join(', ')}`);
  }
  const isSelected = (check: string) => select === undefined || check === select;
  const selected = {
    names: CHECKS.filter(isSelected),
    own: own.filter(({ check }) => isSelected(check)),
  };
  const results = await runChecks(context, selected).catch((cause: unknown) => {
    if (!(cause instanceof Error) || !cause.message.startsWith('Catalog Error')) throw cause;
    // The checks read relations that may be missing: nothing was built yet, or older code built the marts.
    throw new CommandError(
      'The marts are missing or were built by another version; rebuild them: make features',
      { cause },
    );
  });
  const [first] = results;
  const { out } = context;
  out.write(select !== undefined && first ? oneText(first, out) : allText(results));
  return results.some(({ severity, rows }) => severity === 'error' && rows.length > 0) ? 1 : 0;
}

async function runChecks(
  { config, err, now }: CommandContext,
  { names, own }: { names: readonly string[]; own: readonly UserFile[] },
) {
  const { warehouseFile, readFile } = dataPaths(config.dataDir);
  if (!existsSync(warehouseFile)) {
    throw new CommandError('No flights are loaded yet; load a file: make ingest FILE=path');
  }
  try {
    return await checkNow(warehouseFile, now(), names, own);
  } catch (error) {
    if (!(error instanceof WarehouseBusyError) || !existsSync(readFile)) throw error;
    err.write(
      'A job is using the warehouse, so the copy from the last publish is checked instead.\n',
    );
    return checkNow(readFile, now(), names, own);
  }
}

function allText(results: CurrentFindings[]): string {
  const rows = results.map((result) => [
    result.check,
    verdictOf(result),
    count(result.rows.length),
    result.failuresBefore === undefined ? '' : count(result.failuresBefore),
    formatLimit(result.thresholds.warn.rows),
    formatLimit(result.thresholds.error.rows),
  ]);
  const text = table(['check', 'result', 'rows found', 'last build', 'warning', 'error'], rows);
  return `${text}\nRows of a check: make check-data SELECT=name\nHistory: make sql Q="from checks_history"\n`;
}

function oneText(result: CurrentFindings, out: NodeJS.WritableStream): string {
  const { columns: width = WIDTH } = out as Partial<NodeJS.WriteStream>;
  const { check, description, rows, thresholds } = result;
  const limits = (['error', 'warn'] as const).map((severity) => {
    const { rows: limit, reason } = thresholds[severity];
    return `  ${severity}: ${formatLimit(limit)}: ${reason}`;
  });
  const bounds = result.bounds.map(
    ({ name, value, meaning }) => `  ${name} = ${value}: ${meaning}`,
  );
  const head = [`${check}: ${description}`, ...limits, ...bounds, verdictOf(result)];
  const [first] = rows;
  if (first === undefined) return `${head.join('\n')}\n`;
  const columns = Object.keys(first);
  const cells = rows.slice(0, ROWS_SHOWN).map((row) => columns.map((name) => cell(row, name)));
  const shown = rows.length > ROWS_SHOWN ? `, the first ${ROWS_SHOWN} shown` : '';
  const { text } = fittedTable(columns, cells, { width });
  return `${head.join('\n')}\n${text}\n${countOf(rows.length, 'row')}${shown}\n`;
}

function formatLimit(limit: Threshold['rows']): string {
  return typeof limit === 'string' ? limit : `${limit.column} > ${limit.above}`;
}

function cell(row: CellObject, name: string): string {
  const value = row[name];
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function verdictOf({ severity, rows }: CurrentFindings): 'passed' | 'warning' | 'failed' {
  if (rows.length === 0) return 'passed';
  return severity === 'error' ? 'failed' : 'warning';
}
