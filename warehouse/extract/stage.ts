import path from 'node:path';
import type { FlightForm } from './form.ts';
import type { Part, SourceFile } from './extract-deps.ts';
import type { StagedSource } from './staged-source.ts';
import { readUnknownValues } from './unknown-values.ts';
import type { Database } from '../connect.ts';
import { loadCodes } from '../reference/codes.ts';
import { createSourceFlights, releaseSourceRows, wrapSqlErrors } from './source-view.ts';

const CARRIER_NAMES = path.join(import.meta.dirname, '..', 'reference', 'bts-carrier-names.json');

const MONTH_REJECTS = `
  with counts as (
    select month, reason, count(*) as reject_count from rejected_rows group by all order by reason
  )
  select
    strftime(month, '%Y-%m') as month,
    map(list(reason order by reason), list(reject_count order by reason)) as rejects
  from counts group by month order by month`;

const MONTH_ROWS = `
  select
    strftime(month, '%Y-%m') as month,
    count(*) as rows,
    count(*) filter (where is_empty and reject is null) as empty,
    coalesce(sum(flights) filter (where reject is null), 0)::bigint as flights
  from checked_rows where month is not null group by all order by month`;

/** SQL for each kind of rows: the number of flights in a row, and whether a row states that there were no flights. */
const ROW_COUNTS: Record<FlightForm['kind'], { flights: string; isEmpty: string }> = {
  flights: { flights: '1', isEmpty: 'false' },
  route_hours: { flights: 'flight_count', isEmpty: 'false' },
  delay_causes: { flights: 'arr_flights', isEmpty: 'is_empty' },
};

/** Totals over all rows of a source. */
type StagedRows = Pick<StagedSource, 'months' | 'undatedRejects' | 'unknownValues'>;

/**
 * Reads and checks every row of the file, parsing the file once. Writes the rows to the tables `checked_<kind>` and
 * `rejected_rows` of `db`. Returns the totals by month. Flights after `lastDay` (`YYYY-MM-DD`) are rejected. Temporary
 * files are written to `tempDir`.
 */
export async function stageRows(
  db: Database,
  file: SourceFile,
  form: FlightForm,
  { year, lastDay, tempDir }: { year: number | undefined; lastDay: string; tempDir: string },
): Promise<StagedRows> {
  await db.runFile('lake/parsing');
  await db.runFile('lake/carrier_by_name', { file: CARRIER_NAMES });
  await db.setVariables({
    form_folder: form.folder,
    source_year: year ?? null,
    last_day: lastDay,
    has_dates: form.calendar === 'date',
    has_times: form.hasTimes ?? true,
    delay_basis: form.delayBasis,
  });
  if (form.usesCodes) await loadCodes(db);
  await createSourceFlights(db, file, form, tempDir);
  const checked = isCounts(form) ? 'route_counts' : form.kind;
  await wrapSqlErrors(file, form, () => db.runFile(`lake/checked_${checked}`));
  await releaseSourceRows(db, file, form);
  if (form.kind === 'flights') {
    await rejectDuplicates(db);
    await db.runFile('lake/flight_outcomes');
  }
  const { flights, isEmpty } = ROW_COUNTS[form.kind];
  await db.run(`create or replace temp view checked_rows as
    select rowid + 1 as row_number, month, ${flights} as flights, ${isEmpty} as is_empty, reject
    from checked_${form.kind}`);
  if (file.container === 'parquet') {
    await db.runFile('lake/no_skipped_lines');
  } else {
    await db.runFile('lake/skipped_lines', {
      blankLines: file.blankLines.join(','),
      headerLines: countHeaderLines(file),
    });
  }
  await db.runFile('lake/rejected_rows', {
    headerLines: file.isJson ? 0 : countHeaderLines(file),
  });
  const wholeYears = isCounts(form) ? await db.rows<{ month: string }>(WHOLE_YEARS) : [];
  return readSummary(
    db,
    wholeYears.map(({ month }) => month),
  );
}

/**
 * Reads and checks several files as one source, and writes the rows to `checked_flights`. `repeated` has, for each
 * file, the number of good rows that were left out because an earlier file has the same flight.
 */
export async function stagePartRows(
  db: Database,
  parts: Part[],
  { lastDay, tempDir }: { lastDay: string; tempDir: string },
): Promise<StagedRows & { repeated: number[] }> {
  for (const [part, { file, form }] of parts.entries()) {
    await stageRows(db, file, form, { year: undefined, lastDay, tempDir });
    await db.runFile(part === 0 ? 'lake/first_part' : 'lake/next_part', {
      part,
      name: file.name,
    });
    // Drop the rejects of the previous file. Otherwise DuckDB would add the rejects of this file to them.
    await db.run('drop table if exists reject_errors; drop table if exists reject_scans');
  }
  await db.runFile('lake/parts_together');
  const repeats = await db.rows<{ part: number; repeated: number }>(
    'select part, count(*) as repeated from repeated_flights group by part',
  );
  const repeated = parts.map((_, part) => repeats.find((one) => one.part === part)?.repeated ?? 0);
  return { ...(await readSummary(db)), repeated };
}

/** Rejects rows that repeat a flight of an earlier row. The table is rewritten only if there are such rows. */
async function rejectDuplicates(db: Database): Promise<void> {
  await db.runFile('lake/duplicate_flights');
  const [first] = await db.rows('from duplicate_flights limit 1');
  if (first !== undefined) await db.runFile('lake/reject_duplicates');
}

/** Whether the rows are a provider's own counts. A provider may publish only some of the counts. */
export function isCounts({ kind, hasExclusions }: FlightForm): boolean {
  return kind === 'route_hours' && hasExclusions === true;
}

/** Returns the number of lines before the first row. */
function countHeaderLines({ container, prologueLines }: SourceFile): number {
  return container === 'parquet' ? 0 : 1 + prologueLines;
}

/** Lists the months with the counts of a whole year. */
const WHOLE_YEARS = `
  select distinct strftime(month, '%Y-%m') as month from checked_route_hours
  where period_months = 12 and reject is null`;

type MonthRows = { month: string; rows: number; empty: number; flights: number };

async function readSummary(db: Database, wholeYears: readonly string[] = []): Promise<StagedRows> {
  const rows = await db.rows<MonthRows>(MONTH_ROWS);
  const rejects = await db.rows<{
    month: string | null;
    rejects: { key: string; value: number }[];
  }>(MONTH_REJECTS);
  const rejectsOf = (month: string | null) => {
    const counts = rejects.find((one) => one.month === month)?.rejects ?? [];
    return Object.fromEntries(counts.map(({ key, value }) => [key, value]));
  };
  return {
    months: rows.map(({ month, rows: rowsRead, empty, flights }) => ({
      month,
      ...(wholeYears.includes(month) && { periodMonths: 12 as const }),
      rowsRead,
      ...(empty > 0 && { rowsEmpty: empty }),
      flights,
      rejects: rejectsOf(month),
    })),
    undatedRejects: rejectsOf(null),
    unknownValues: await readUnknownValues(db),
  };
}
