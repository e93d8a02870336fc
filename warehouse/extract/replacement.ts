import { sum } from '../ground/sum.ts';
import type { FlightForm } from '../../pipelines/flights/form.ts';
import type { Comparison, MonthExtent, StagedMonth } from '../../pipelines/flights/types.ts';
import { openDatabase, type Database } from '../connect.ts';
import { isIntact, lakeFilePath, type SourceRef } from '../lake/lake.ts';
import { currentManifest } from '../lake/place-month.ts';
import type { AnyManifest, MonthRef } from '../lake/versions.ts';
import { treeOf } from './tree.ts';

/**
 * SQL over the lake files of a month. `cells` counts flights by airline and airport: all flights (`flights`), flights
 * with an hour (`timed`) and flights with arrival delays (`arrivals`). `days` counts flights by day.
 */
type LakeQueries = { cells: string; days: string; params: { cells: string; days?: string } };

const NO_DAYS = 'select null::date as flight_date, 0 as flights where false';

const STAGED: Record<FlightForm['kind'], { cells: string; days: string }> = {
  flights: {
    cells: `select carrier, origin as airport, count(*) as flights, count(crs_dep_time) as timed,
        count(*) filter (where getvariable('delay_basis') = 'arrival') as arrivals
      from checked_flights where month = $month::date and reject is null group by all`,
    days: `select flight_date, count(*) as flights from checked_flights
      where month = $month::date and reject is null and flight_date is not null group by all`,
  },
  route_hours: {
    cells: `select carrier, origin as airport, sum(flight_count) as flights,
        coalesce(sum(flight_count) filter (where crs_dep_hour is not null), 0) as timed,
        coalesce(sum(flight_count) filter (where delay_basis = 'arrival'), 0) as arrivals
      from checked_route_hours where month = $month::date and reject is null group by all`,
    days: NO_DAYS,
  },
  delay_causes: {
    cells: `select carrier, airport, sum(arr_flights) as flights, sum(arr_flights) as timed, sum(arr_flights) as arrivals
      from checked_delay_causes where month = $month::date and reject is null and not is_empty group by all`,
    days: NO_DAYS,
  },
};

const LAKE_FLIGHTS = `select carrier, origin as airport, sum(flight_count) as flights,
    coalesce(sum(flight_count) filter (where crs_dep_hour is not null), 0) as timed,
    coalesce(sum(flight_count) filter (where delay_basis = 'arrival'), 0) as arrivals
  from read_parquet($cells, hive_partitioning = false) group by all`;

const LAKE_DAYS = `select flight_date, sum(flight_count) as flights
  from read_parquet($days, hive_partitioning = false) group by all`;

const LAKE_LEVELS = `select carrier, airport, sum(arr_flights) as flights, sum(arr_flights) as timed, sum(arr_flights) as arrivals
  from read_parquet($cells, hive_partitioning = false) group by all`;

/**
 * Compares the month in the lake with the staged month. Returns undefined if the lake lacks the month or the files of
 * the month are damaged. In that case there is nothing to protect, and the new source repairs the month.
 */
export async function compareMonth(
  db: Database,
  lakeDir: string,
  form: FlightForm,
  staged: StagedMonth,
  source: SourceRef,
): Promise<Comparison | undefined> {
  const tree = treeOf(form);
  const manifest = await currentManifest(lakeDir, { month: staged.month, tree });
  if (!manifest || !(await isIntact(lakeDir, manifest, tree))) return undefined;
  const lake = lakeQueries(lakeDir, manifest);
  const { cells, days } = STAGED[form.kind];
  const [row] = await db.rows<Compared>(comparisonSql(lake, cells, days), {
    ...lake.params,
    month: `${staged.month}-01`,
  });
  if (!row) return undefined;
  const rowsStaged = staged.rowsRead - (staged.rowsEmpty ?? 0) - sum(Object.values(staged.rejects));
  return {
    current: {
      ...extent(manifest.source, manifest.rows.loaded, row.held),
      sha256: manifest.source.sha256,
      isSingle: 'flights' in manifest.files,
    },
    staged: { ...extent(source, rowsStaged, row.staged), isSingle: form.kind === 'flights' },
    uncovered: row.uncovered,
    lostAirlines: row.lostAirlines,
    departureHours: { current: row.held.timed, staged: row.staged.timed },
    arrivals: { current: row.held.arrivals, staged: row.staged.arrivals },
  };
}

/** Reads the extent of a month in the lake; undefined if the lake has no month with intact files. */
export async function readLakeExtent(
  lakeDir: string,
  { month, tree }: MonthRef,
): Promise<MonthExtent | undefined> {
  const manifest = await currentManifest(lakeDir, { month, tree });
  if (!manifest || !(await isIntact(lakeDir, manifest, tree))) return undefined;
  const lake = lakeQueries(lakeDir, manifest);
  const db = await openDatabase({ threads: 1 });
  try {
    const [row] = await db.rows<{ held: Side }>(
      `with held_cells as (${lake.cells}), held_days as (${lake.days}) select ${sideSql('held')} as held`,
      lake.params,
    );
    return row && extent(manifest.source, manifest.rows.loaded, row.held);
  } finally {
    db.close();
  }
}

/** Columns of one side of the comparison; `timed` and `arrivals` are shares of the flights on that side. */
type Side = {
  flights: number;
  days: number;
  airports: number;
  airlines: number;
  timed: number;
  arrivals: number;
};

type Compared = { held: Side; staged: Side } & Pick<Comparison, 'uncovered' | 'lostAirlines'>;

function lakeQueries(lakeDir: string, manifest: AnyManifest): LakeQueries {
  const { month, files } = manifest;
  if ('delayCauses' in files) {
    const cells = lakeFilePath(lakeDir, month, files.delayCauses, 'levels');
    return { cells: LAKE_LEVELS, days: NO_DAYS, params: { cells } };
  }
  const { routeHours, airportDays } = files;
  const cells = lakeFilePath(lakeDir, month, routeHours);
  if (!airportDays) return { cells: LAKE_FLIGHTS, days: NO_DAYS, params: { cells } };
  const days = lakeFilePath(lakeDir, month, airportDays);
  return { cells: LAKE_FLIGHTS, days: LAKE_DAYS, params: { cells, days } };
}

function comparisonSql(
  lake: Pick<LakeQueries, 'cells' | 'days'>,
  cells: string,
  days: string,
): string {
  const without = (part: string, key: string) =>
    `(select coalesce(sum(flights), 0)::bigint from held_${part} anti join staged_${part} using (${key}))`;
  return `with
    held_cells as materialized (${lake.cells}),
    held_days as materialized (${lake.days}),
    staged_cells as materialized (${cells}),
    staged_days as materialized (${days}),
    lost_airlines as (
      select carrier as airline, sum(flights)::bigint as flights
      from held_cells anti join staged_cells using (carrier) group by all
    )
    select
      ${sideSql('held')} as held,
      ${sideSql('staged')} as staged,
      {
        days: if(
          (select count(*) from staged_days) = 0, 0, ${without('days', 'flight_date')}
        ),
        airports: ${without('cells', 'airport')},
        airlines: (select coalesce(sum(flights), 0)::bigint from lost_airlines)
      } as uncovered,
      (
        select coalesce(list({ airline: airline, flights: flights } order by flights desc, airline), [])
        from lost_airlines
      ) as "lostAirlines"`;
}

function sideSql(name: 'held' | 'staged'): string {
  const fromCells = (expression: string) => `(select ${expression} from ${name}_cells)`;
  return `{
    flights: ${fromCells('coalesce(sum(flights), 0)::bigint')},
    days: (select count(*) from ${name}_days),
    airports: ${fromCells('count(distinct airport)')},
    airlines: ${fromCells('count(distinct carrier)')},
    timed: ${fromCells('coalesce(sum(timed) / nullif(sum(flights), 0), 0)::double')},
    arrivals: ${fromCells('coalesce(sum(arrivals) / nullif(sum(flights), 0), 0)::double')}
  }`;
}

function extent(
  { name, form }: Pick<SourceRef, 'name' | 'form'>,
  rows: number,
  { flights, days, airports, airlines }: Side,
): MonthExtent {
  return { source: name, form, rows, flights, days, airports, airlines };
}
