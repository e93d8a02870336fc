/** The rows of a file as the views `source` and `source_flights`. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../connect.ts';
import { SourceFormatError } from '../errors.ts';
import { columnKey } from '../ground/column-key.ts';
import { ensureDir } from '../ground/files.ts';
import type { SourceFile } from './extract-deps.ts';
import type { FlightForm } from './form.ts';
import { readUnlessUtf8 } from './gunzipped.ts';
import { wrapReadErrors } from './read-errors.ts';

const READ_CSV_OPTIONS = `header = true, auto_detect = false, quote = '"', escape = '"',
  compression = getvariable('source_compression'), hive_partitioning = false,
  store_rejects = true, rejects_table = 'reject_errors', rejects_scan = 'reject_scans'`;

/**
 * Creates the view `source_flights`. The view returns the rows that the form's SQL makes from the rows of the file, in
 * the order of the file. If the SQL does not keep this order, the rows of the file are first read into a table with row
 * numbers. `row_number() over ()` is not used, because its numbers would need a read with one thread. If the file must
 * be converted to UTF-8, the copy is written to `tempDir`.
 */
export async function createSourceFlights(
  db: Database,
  file: SourceFile,
  form: FlightForm,
  tempDir: string,
): Promise<void> {
  await setSourcePath(db, file, form, tempDir);
  const rows = selectSource(file, form);
  if (form.keepsOrder) {
    await db.run(`create or replace temp view source as ${rows}`);
  } else {
    await wrapReadErrors(file.name, () =>
      db.run(`create or replace temp table source_rows as ${rows};
        create or replace temp view source as select rowid + 1 as row_number, * from source_rows`),
    );
  }
  const ordered = form.keepsOrder
    ? `select *${addedColumns(form)} from ${modelOf(form)}`
    : `select * exclude (row_number)${addedColumns(form)} from ${modelOf(form)} order by row_number`;
  const sql = await readFile(path.join(form.folder, `${modelOf(form)}.sql`), 'utf8');
  await wrapSqlErrors(file, form, async () => {
    await db.run(sql);
    await db.run(`create or replace temp view source_flights as ${ordered}`);
  });
}

/** Runs `work`, which reads `source_flights`. Errors name the SQL file of the form. */
export async function wrapSqlErrors<T>(
  file: Pick<SourceFile, 'name'>,
  form: FlightForm,
  work: () => Promise<T>,
): Promise<T> {
  return wrapReadErrors(file.name, work, describeSql(form));
}

/**
 * Deletes the rows that `createSourceFlights` read. Throws `SourceFormatError` if the SQL of the form did not return
 * the same number of rows. For example, a join that matches twice repeats rows.
 */
export async function releaseSourceRows(
  db: Database,
  file: Pick<SourceFile, 'name'>,
  form: FlightForm,
): Promise<void> {
  if (form.keepsOrder) return;
  const [counts] = await db.rows<{ inFile: number; fromSql: number }>(
    `select
       (select count(*) from source_rows) as "inFile",
       (select count(*) from checked_${form.kind}) as "fromSql"`,
  );
  await db.run('drop table source_rows');
  if (!counts || counts.inFile === counts.fromSql) return;
  throw new SourceFormatError(
    file.name,
    `has ${counts.inFile} rows, but ${describeSql(form)} returned ${counts.fromSql}. It must return each row exactly once: check its joins and conditions`,
  );
}

function describeSql(form: FlightForm): string {
  return `${modelOf(form)}.sql of provider ${form.provider}`;
}

/** Returns the name of the view of a form, which is also the name of its SQL file. */
function modelOf(form: Pick<FlightForm, 'name' | 'source'>): string {
  return form.source ?? form.name;
}

/**
 * Returns a query with every column that the form may use, as text. A column that the file lacks is null. The columns
 * of a CSV are matched by position, so that no text of the file enters the statement.
 */
function selectSource(file: SourceFile, form: FlightForm): string {
  const formNames = [...form.required.flatMap((name) => name.split('|')), ...form.optional];
  const keys = file.header.map(columnKey);
  const isParquet = file.container === 'parquet';
  const selected = formNames.map((name) => {
    const at = keys.indexOf(columnKey(name));
    const column = isParquet ? file.header[at] : `column_${at + 1}`;
    return at === -1 || column === undefined
      ? `null::varchar as ${quote(name)}`
      : `cast(${quote(column)} as varchar) as ${quote(name)}`;
  });
  const types = keys.map((_, at) => `column_${at + 1}: 'varchar'`).join(', ');
  const reader = isParquet
    ? "read_parquet(getvariable('source_path'), hive_partitioning = false)"
    : `read_csv(getvariable('source_path'), columns = {${types}}, delim = '${file.delimiter}',
          skip = ${file.prologueLines}, ${READ_CSV_OPTIONS})`;
  return `select ${selected.join(', ')} from ${reader}`;
}

/** Columns that only the SQL of some forms has. They are null for the other forms. */
function addedColumns({ kind, hasExclusions, hasBrands, hasCodeshares }: FlightForm): string {
  return [
    ...(hasExclusions
      ? []
      : ['null::struct(column_name varchar, "value" varchar, reason varchar) as exclusion']),
    ...(hasBrands || kind !== 'flights'
      ? []
      : ['null::varchar as brand', 'null::varchar as brand_flight_number']),
    ...(hasCodeshares || kind !== 'flights' ? [] : ['null::varchar as codeshares']),
  ]
    .map((column) => `, ${column}`)
    .join('');
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Points `source_path` to the file, or to a copy of it in UTF-8. Older files of some forms have another encoding.
 * DuckDB alone reads Latin-1, but not the characters that only Windows-1252 has, such as dashes and curly quotes.
 */
async function setSourcePath(
  db: Database,
  { path: filePath, container }: SourceFile,
  { olderEncoding }: FlightForm,
  tempDir: string,
): Promise<void> {
  const isGzip = container === 'csv.gz';
  const isText = container !== 'parquet';
  const bytes = olderEncoding && isText ? await readUnlessUtf8(filePath, isGzip) : undefined;
  const copy = path.join(tempDir, 'source.csv');
  if (bytes) {
    await ensureDir(tempDir);
    await writeFile(copy, new TextDecoder(olderEncoding).decode(bytes));
  }
  await db.setVariables({
    source_path: bytes ? copy : filePath,
    source_compression: isGzip && !bytes ? 'gzip' : 'none',
  });
}
