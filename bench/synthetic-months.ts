import path from 'node:path';
import { openDatabase } from '../warehouse/connect.ts';
import { migrate } from '../warehouse/build/migrate.ts';

const SEED = path.join(import.meta.dirname, '../warehouse/seed/route_hours.parquet');

/** The newest month that is generated. */
const LAST_MONTH = '2025-12-01';

/**
 * Fills a warehouse file with `months` made-up months that look like loaded BTS months. Each month is a copy of the
 * same month of 2018 in the seed. Its counts are multiplied by factors from 0.85 to 1.35, which come from a hash of the
 * row's key, so every run gives the same result. Returns the number of flights (about 7 million a year). Never publish
 * these months.
 */
export async function writeSyntheticMonths(warehouseFile: string, months: number): Promise<number> {
  const db = await openDatabase({ path: warehouseFile, memoryLimit: '1500MB' });
  try {
    await migrate(db);
    await db.run(ROUTE_HOURS, { seed: SEED, months, last: LAST_MONTH });
    await db.run(`${AIRPORT_DAYS}; ${AIRPORT_HOURS}; ${LAKE_MONTHS}`);
    const [row] = await db.rows<{ flights: number }>(
      'select sum(flight_count)::bigint as flights from raw.route_hours',
    );
    return row?.flights ?? 0;
  } finally {
    db.close();
  }
}

/** Marks the newest month as just loaded, so that the next build is not skipped. */
export async function touchNewestMonth(warehouseFile: string): Promise<void> {
  const db = await openDatabase({ path: warehouseFile });
  try {
    await db.run(
      `update raw.lake_months set loaded_at = now()
       where month = (select max(month) from raw.lake_months)`,
    );
  } finally {
    db.close();
  }
}

const ROUTE_HOURS = `
  insert into raw.route_hours by name
  with made as (
    select ($last::date - to_months(ago::integer))::date as month
    from unnest(range($months::integer)) as ages(ago)
  ),
  jittered as (
    select
      seed.* exclude (month),
      made.month,
      0.85 + hash(seed.carrier, seed.origin, seed.dest, seed.crs_dep_hour, made.month) % 1000 / 2000 as factor
    from made
    inner join read_parquet($seed) as seed on month(seed.month) = month(made.month)
  )
  select
    * exclude (factor) replace (
      ceil(flight_count * factor)::integer as flight_count,
      floor(cancelled_count * factor)::integer as cancelled_count,
      floor(diverted_count * factor)::integer as diverted_count,
      floor(completed_count * factor)::integer as completed_count,
      floor(delayed15_count * factor)::integer as delayed15_count,
      floor(delayed_count * factor)::integer as delayed_count,
      floor(delayed45_count * factor)::integer as delayed45_count,
      floor(delayed60_count * factor)::integer as delayed60_count,
      floor(delayed90_count * factor)::integer as delayed90_count,
      floor(delayed120_count * factor)::integer as delayed120_count,
      floor(delayed180_count * factor)::integer as delayed180_count,
      floor(delayed360_count * factor)::integer as delayed360_count,
      floor(delayed_min_sum * factor)::bigint as delayed_min_sum
    )
  from jittered
  order by month, carrier, origin, dest, crs_dep_hour`;

const AIRPORT_DAYS = `
  insert into raw.airport_days by name
  with months as (
    select
      month,
      origin as airport,
      sum(flight_count) as flight_count,
      sum(cancelled_count) as cancelled_count,
      sum(completed_count) as completed_count,
      sum(delayed_count) as delayed_count
    from raw.route_hours
    group by all
  ),
  days as (
    select
      unnest(generate_series(month, last_day(month), interval 1 day))::date as flight_date,
      *
    from months
  )
  select
    flight_date,
    airport,
    ceil(flight_count / day(last_day(month)))::integer as flight_count,
    floor(cancelled_count / day(last_day(month)))::integer as cancelled_count,
    floor(completed_count / day(last_day(month)))::integer as completed_count,
    floor(
      delayed_count / day(last_day(month)) * (0.5 + hash(flight_date, airport) % 1000 / 2000)
    )::integer as delayed_count
  from days
  order by flight_date, airport`;

const AIRPORT_HOURS = `
  insert into raw.airport_hours by name
  with hours as (
    select
      month,
      origin as airport,
      crs_dep_hour as local_hour,
      sum(flight_count) as flight_count,
      sum(completed_count) as completed_count,
      sum(delayed_count) as delayed_count
    from raw.route_hours
    where crs_dep_hour is not null
    group by all
  ),
  weekdays as (
    select
      *,
      unnest(range(1, 8))::tinyint as weekday
    from hours
  )
  select
    month,
    airport,
    weekday,
    local_hour,
    ceil(flight_count / 7)::integer as crs_dep_count,
    ceil(flight_count / 7 * (0.5 + hash(month, airport, weekday, local_hour) % 1000 / 1000))::integer as crs_arr_count,
    floor(completed_count / 7)::integer as completed_count,
    floor(delayed_count / 7)::integer as delayed_count
  from weekdays
  order by month, airport, weekday, local_hour`;

const LAKE_MONTHS = `
  insert into raw.lake_months by name
  select distinct
    month,
    'synthetic' as source_name,
    md5(month::varchar) as source_sha256,
    'bts_on_time' as source_form,
    1 as rows_read,
    1 as rows_loaded,
    0 as rows_rejected,
    'bench' as code_version,
    '2026-01-01'::timestamptz as extracted_at
  from raw.route_hours
  order by month`;
