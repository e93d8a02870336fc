import path from 'node:path';
import { openDatabase } from '../../../warehouse/connect.ts';

/** Files with tail numbers and whole days. The first is for the fit, the second for its test. */
export const FIT_FILE = 'flights/us_2015-01-01_04.csv.gz';
export const TEST_FILE = 'flights/phx_iah_2019_12.csv.gz';

/** A flight whose aircraft came from another flight on the same day. */
export type Rotation = {
  airport: string;
  /**
   * Usual share of flights that are more than 30 minutes late. The share is computed from the airline's flights at the
   * airport in the same three hours of the day.
   */
  usualRate: number;
  /** Minutes by which the incoming aircraft arrived late; negative is early. */
  inboundMin: number;
  /** Minutes by which the flight departed late. */
  departureMin: number;
  isLate: boolean;
};

/**
 * Reads the flights of a file that follow another flight of the same aircraft. The aircraft was scheduled to arrive at
 * least 20 minutes and at most 3 hours before the departure.
 */
export async function readRotations(dataDir: string, file: string): Promise<Rotation[]> {
  const db = await openDatabase();
  try {
    const flights = file === FIT_FILE ? US_FLIGHTS : PHOENIX_HOUSTON_FLIGHTS;
    return await db.rows(`with flights as (${flights}), ${ROTATIONS}`, {
      file: path.join(dataDir, file),
    });
  } finally {
    db.close();
  }
}

const US_FLIGHTS = `
  select make_date(YEAR::integer, MONTH::integer, DAY::integer) as day, AIRLINE as airline,
    TAIL_NUMBER as tail, ORIGIN_AIRPORT as origin, DESTINATION_AIRPORT as dest,
    60 * SCHEDULED_DEPARTURE[1:2]::integer + SCHEDULED_DEPARTURE[3:4]::integer as dep,
    60 * SCHEDULED_ARRIVAL[1:2]::integer + SCHEDULED_ARRIVAL[3:4]::integer as arr,
    DEPARTURE_DELAY::double as dep_delay, ARRIVAL_DELAY::double as arr_delay
  from read_csv($file, all_varchar = true)`;

const PHOENIX_HOUSTON_FLIGHTS = `
  select FL_DATE::date as day, OP_UNIQUE_CARRIER as airline, TAIL_NUM as tail,
    ORIGIN as origin, DEST as dest,
    60 * (CRS_DEP_TIME // 100) + CRS_DEP_TIME % 100 as dep,
    60 * (CRS_ARR_TIME // 100) + CRS_ARR_TIME % 100 as arr,
    DEP_DELAY::double as dep_delay, ARR_DELAY::double as arr_delay
  from read_csv($file)`;

/**
 * Adds 20 flights with the rate of all flights to each group. This shrinks the usual rate of a small group toward the
 * rate of all flights.
 */
const ROTATIONS = `
  usual as (
    select *,
      (count(*) filter (where arr_delay > 30) over peers
        + 20 * avg((arr_delay > 30)::integer) over ()) / (count(*) over peers + 20) as usual_rate
    from flights
    where arr_delay is not null
    window peers as (partition by origin, airline, dep // 180)
  ),
  rotations as (
    select *,
      lag(arr_delay) over aircraft as inbound_min,
      dep - lag(arr) over aircraft as turnaround_min,
      lag(dest) over aircraft as inbound_dest
    from usual
    where tail is not null
    window aircraft as (partition by tail, day order by dep)
  )
  select origin as airport, usual_rate as "usualRate", inbound_min as "inboundMin",
    dep_delay as "departureMin", arr_delay > 30 as "isLate"
  from rotations
  where inbound_dest = origin and turnaround_min between 20 and 180
  order by all`;
