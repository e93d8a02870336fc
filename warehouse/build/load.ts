import { readSql, type Database, inTransaction } from '../connect.ts';
import { LakeMonthMissingError } from '../errors.ts';
import { HOME_PROVIDER } from '../paths.ts';
import { INFERRED_DELAYS, MEAN_LATE_MINUTES } from '../store/late-shares.ts';
import {
  readManifest,
  readValidManifest,
  verifiedLakeFile,
  type MonthManifest,
} from '../lake/lake.ts';

/**
 * Replaces one month (`YYYY-MM`) in the warehouse with the files of the lake, in one transaction. Returns the number of
 * scheduled flights in that month. First checks every file against its SHA-256.
 */
export async function loadMonth(db: Database, lakeDir: string, month: string): Promise<number> {
  const manifest = await readManifest(lakeDir, month);
  if (!manifest) throw new LakeMonthMissingError(month);
  if (await isCountedInYear(lakeDir, manifest)) {
    await unloadMonth(db, month);
    return 0;
  }
  const { flights, routeHours, airportDays, airportHours } = manifest.files;
  const routeHoursPath = await verifiedLakeFile(lakeDir, month, routeHours);
  const airportDaysPath = airportDays && (await verifiedLakeFile(lakeDir, month, airportDays));
  const airportHoursPath = airportHours && (await verifiedLakeFile(lakeDir, month, airportHours));
  const flightsPath = flights && (await verifiedLakeFile(lakeDir, month, flights));
  return inTransaction(db, async () => {
    const firstDay = `${month}-01`;
    await db.run(DELETE_MONTH, { firstDay });
    if (manifest.periodMonths === 12) await deleteOtherMonths(db, month.slice(0, 4));
    // A provider may publish only some of the counts; the others are inferred.
    if (manifest.source.provider !== undefined) {
      await loadProviderHours(db, routeHoursPath, manifest);
    } else await db.run(insertFrom('raw.route_hours'), { file: routeHoursPath });
    if (airportDaysPath) await db.run(insertFrom('raw.airport_days'), { file: airportDaysPath });
    if (airportHoursPath) {
      await db.run(insertFrom('raw.airport_hours'), { file: airportHoursPath });
    } else {
      await db.runFile('lake/airport_hours_from_routes', { firstDay });
    }
    if (flightsPath) await insertFlightNumbers(db, flightsPath, month);
    await db.run(
      INSERT_MONTH,
      toMonthRow(manifest, await inferredMinutes(db, routeHoursPath, manifest)),
    );
    const [row] = await db.rows<{ flights: number }>(
      'select sum(flight_count)::bigint as flights from raw.route_hours where month = $firstDay::date',
      { firstDay },
    );
    return row?.flights ?? 0;
  });
}

/** Loads the route hours of another provider. Counts that the provider does not publish are inferred. */
async function loadProviderHours(
  db: Database,
  file: string,
  { delayBasis }: MonthManifest,
): Promise<void> {
  const shares = INFERRED_DELAYS.map(({ minutes, share }) => [`over_${minutes}`, share] as const);
  await db.runFile('lake/provider_route_hours', {
    file,
    basis: delayBasis === 'mixed' ? 'mixed' : null,
    ...Object.fromEntries(shares),
    mean_min: MEAN_LATE_MINUTES,
  });
}

/** Returns the inferred delays of a month as a JSON list of minutes; empty for months of BTS. */
async function inferredMinutes(
  db: Database,
  file: string,
  { source }: MonthManifest,
): Promise<string> {
  if (source.provider === undefined) return '[]';
  const [row] = await db.fileRows<{ minutes: string }>('lake/inferred_minutes', { file });
  return row?.minutes ?? '[]';
}

/** Whether the counts of a whole year include this month. These counts are in the December of the year. */
async function isCountedInYear(lakeDir: string, manifest: MonthManifest): Promise<boolean> {
  if (manifest.source.provider === undefined || manifest.month.endsWith('-12')) return false;
  const december = await readValidManifest(lakeDir, `${manifest.month.slice(0, 4)}-12`);
  return december?.periodMonths === 12;
}

/** Removes a month (`YYYY-MM`) from the warehouse, in one transaction. */
export async function unloadMonth(db: Database, month: string): Promise<void> {
  await inTransaction(db, () => db.run(DELETE_MONTH, { firstDay: `${month}-01` }));
}

/** Limits the flights of a month: to days before `until` (`YYYY-MM-DD`), to airports of departure, or to airlines. */
export type FlightFilter = { until?: string; origins?: string[]; carriers?: string[] };

/**
 * Loads the matching flights of a lake month into a warehouse without that month, and returns their number. Returns 0
 * if the source of the month has only sums of flights. With `until`, also returns 0 if the flights have no dates.
 */
export async function loadPartOfMonth(
  db: Database,
  lakeDir: string,
  month: string,
  filter: FlightFilter,
): Promise<number> {
  const manifest = await readManifest(lakeDir, month);
  if (!manifest) throw new LakeMonthMissingError(month);
  const { flights } = manifest.files;
  if (!flights) return 0;
  await createFlightView(db, manifest, await verifiedLakeFile(lakeDir, month, flights), filter);
  const [row] = await db.rows<{ flights: number }>(
    'select count(*)::bigint as flights from flight_outcomes',
  );
  const loaded = row?.flights ?? 0;
  if (loaded === 0) return 0;
  await inTransaction(db, async () => {
    for (const table of ['route_hours', 'airport_days', 'airport_hours'] as const) {
      await insertModel(db, table, month);
    }
    const rows = { read: loaded, loaded, rejected: 0 };
    await db.run(INSERT_MONTH, toMonthRow({ ...manifest, rows }));
  });
  return loaded;
}

/** Removes the rows of January to November: the December of the year has the counts of the whole year. */
async function deleteOtherMonths(db: Database, year: string): Promise<void> {
  for (let number = 1; number < 12; number++) {
    const firstDay = `${year}-${String(number).padStart(2, '0')}-01`;
    await db.run(DELETE_MONTH, { firstDay });
  }
}

/** Without `hive_partitioning = false`, `month=07` in the folder name would replace the column `month` of the rows. */
function insertFrom(table: `raw.${'route_hours' | 'airport_days' | 'airport_hours'}`): string {
  return `insert into ${table} by name from read_parquet($file, hive_partitioning = false)`;
}

/** Creates the view `flight_outcomes` over the matching flights of a lake month. */
async function createFlightView(
  db: Database,
  { month, delayBasis }: MonthManifest,
  flightsPath: string,
  { until, origins, carriers }: FlightFilter = {},
): Promise<void> {
  await db.setVariables({
    month: `${month}-01`,
    flights_path: flightsPath,
    flights_until: until ?? null,
    flights_origins: origins?.join(',') ?? null,
    flights_carriers: carriers?.join(',') ?? null,
    delay_basis: delayBasis,
  });
  await db.runFile('lake/checked_flights_of_lake');
  await db.runFile('lake/flight_outcomes');
}

/** Inserts the result of the model `month_<table>` over `flight_outcomes`. */
async function insertModel(
  db: Database,
  table: 'route_hours' | 'airport_days' | 'airport_hours',
  month: string,
): Promise<void> {
  const model = await readSql(`lake/month_${table}`);
  await db.run(`insert into raw.${table} by name ${model}`, { month: `${month}-01` });
}

/** Inserts the flight numbers of a month (`YYYY-MM`), from its file of flights in the lake. */
async function insertFlightNumbers(db: Database, file: string, month: string): Promise<void> {
  const numbers = await readSql('lake/month_flight_numbers');
  await db.run(`insert into raw.flight_numbers by name ${numbers}`, { file, month: `${month}-01` });
}

const DELETE_MONTH = `
  delete from raw.flight_numbers where month = $firstDay::date;
  delete from raw.route_hours where month = $firstDay::date;
  delete from raw.airport_days where date_trunc('month', flight_date) = $firstDay::date;
  delete from raw.airport_hours where month = $firstDay::date;
  delete from raw.lake_months where month = $firstDay::date`;

const INSERT_MONTH = `insert into raw.lake_months by name select
  $month::date as month, $sourceName as source_name, $sourceSha256 as source_sha256, $sourceForm as source_form,
  $rowsRead as rows_read, $rowsLoaded as rows_loaded, $rowsRejected as rows_rejected,
  $codeVersion as code_version, $extractedAt::timestamptz as extracted_at, $periodMonths as period_months,
  $inferredMinutes::json::integer[] as inferred_minutes, $provider as provider`;

function toMonthRow(
  { month, source, rows, codeVersion, extractedAt, periodMonths }: MonthManifest,
  minutes = '[]',
) {
  return {
    month: `${month}-01`,
    sourceName: source.name,
    sourceSha256: source.sha256,
    sourceForm: source.form,
    rowsRead: rows.read,
    rowsLoaded: rows.loaded,
    rowsRejected: rows.rejected,
    codeVersion,
    extractedAt,
    periodMonths: periodMonths ?? 1,
    inferredMinutes: minutes,
    provider: source.provider ?? HOME_PROVIDER,
  };
}
