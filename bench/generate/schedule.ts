import path from 'node:path';
import { openDatabase } from '../../warehouse/connect.ts';

/** A service: a carrier's flights on one route in one hour of the day over a month, with their delays in 2018. */
export type Service = {
  carrier: string;
  origin: string;
  dest: string;
  crsDepHour: number;
  flightCount: number;
  /** Shares from 0 to 1. With few flights, a share is shrunk toward the share of the whole month. */
  lateRate: number;
  cancelRate: number;
  /** Mean arrival delay in minutes. Only flights more than 30 minutes late are averaged. */
  lateMin: number;
};

const SEED = path.join(import.meta.dirname, '../../warehouse/seed/route_hours.parquet');

// The prior has the weight of ten flights. Without a prior, a service with one flight would have the rate 0 or 1.
const SERVICES = `
  with services as (
    select * from read_parquet($file, hive_partitioning = false)
    where extract(month from month) = $monthOfYear
  ),
  rates as (
    select
      sum(delayed_count) / sum(completed_count) as late_rate,
      sum(cancelled_count) / sum(flight_count) as cancel_rate,
      sum(delayed_min_sum) / sum(delayed_count) as late_min
    from services
  )
  select
    carrier,
    origin,
    dest,
    crs_dep_hour::integer as "crsDepHour",
    sum(flight_count) as "flightCount",
    (sum(delayed_count) + 10 * any_value(late_rate)) / (sum(completed_count) + 10) as "lateRate",
    (sum(cancelled_count) + 10 * any_value(cancel_rate)) / (sum(flight_count) + 10) as "cancelRate",
    coalesce(sum(delayed_min_sum) / nullif(sum(delayed_count), 0), any_value(late_min)) as "lateMin"
  from services, rates
  group by all
  order by carrier, origin, dest, "crsDepHour"`;

/** Reads the seed's services for the month of the year (1 to 12): US carriers and routes of 2018. */
export async function readServices(monthOfYear: number): Promise<Service[]> {
  const db = await openDatabase({ threads: 1 });
  try {
    return await db.rows<Service>(SERVICES, { file: SEED, monthOfYear });
  } finally {
    db.close();
  }
}

/** Distributes exactly `rows` flights over the services, in proportion to their flights. */
export function distributeRows(services: readonly Service[], rows: number): number[] {
  const total = services.reduce((sum, { flightCount }) => sum + flightCount, 0);
  let flightsBefore = 0;
  return services.map(({ flightCount }) => {
    const before = Math.floor((flightsBefore * rows) / total);
    flightsBefore += flightCount;
    return Math.floor((flightsBefore * rows) / total) - before;
  });
}
