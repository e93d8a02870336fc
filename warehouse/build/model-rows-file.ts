import { openDatabase } from '../connect.ts';

/** Columns of equal length. `part` has indexes into a list of names. NaN is a missing number. */
type RowColumns = { part: number[]; numbers: Record<string, number[]> };

/** SQL expressions for the columns that are not written as doubles. Months and days are counted from January 1970. */
const TYPES: Record<string, string> = {
  month: `(date '1970-01-01' + to_months(month::integer))::date as month`,
  day: `(date '1970-01-01' + day::integer)::date as flight_date`,
  case_id: 'case_id::integer as case_id',
  flights: 'flights::integer as flights',
  delayed: 'delayed::integer as delayed',
};

/**
 * Writes the rows to a Parquet file or, if its name ends in `.csv`, to a CSV file. The column `part` contains names
 * instead of indexes.
 */
export async function writeModelRowsFile(
  file: string,
  { part, numbers }: RowColumns,
  partNames: readonly string[],
): Promise<void> {
  const names = Object.keys(numbers);
  const db = await openDatabase();
  try {
    await db.run(
      `create table rows (part utinyint, ${names.map((name) => `${name} double`).join(', ')})`,
    );
    const nullable = Object.values(numbers).map((values) =>
      values.map((value) => (Number.isNaN(value) ? null : value)),
    );
    await db.append('rows', [part, ...nullable]);
    const partCases = partNames.map((name, index) => `when ${index} then '${name}'`).join(' ');
    const columns = names.map((name) => TYPES[name] ?? name);
    const format = file.endsWith('.csv')
      ? 'format csv, header'
      : 'format parquet, compression zstd';
    await db.run(
      `copy (select case part ${partCases} end as part, ${columns.join(', ')} from rows) to $file (${format})`,
      { file },
    );
  } finally {
    db.close();
  }
}
