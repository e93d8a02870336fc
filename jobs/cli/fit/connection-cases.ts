import { CONNECTING_MINUTES } from '../../../models/connecting-times.ts';
import { openDatabase } from '../../../warehouse/connect.ts';

/** All flights from and to Phoenix and Houston in December 2019. */
export const TEST_FILE = 'flights/phx_iah_2019_12.csv.gz';

/** A possible connection, and whether it would have been missed. Flights are named `JFK-LAX-AA-2019-12-01-8`. */
export type SeenConnection = {
  before: string;
  after: string;
  plannedMin: number;
  isMissed: boolean;
};

/** Reads connections of 30 to 240 minutes; a sample of one in 64 is large enough. */
export async function readConnections(file: string): Promise<SeenConnection[]> {
  const db = await openDatabase();
  try {
    return await db.rows(TEST_CONNECTIONS, { file, needed: CONNECTING_MINUTES.domestic });
  } finally {
    db.close();
  }
}

/**
 * A traveller cannot miss a cancelled departure. After a cancelled or diverted arrival, a traveller misses every
 * departure.
 */
const TEST_CONNECTIONS = `
  with flights as (
    select
      FL_DATE::date as day,
      ORIGIN as origin, DEST as dest, TAIL_NUM as tail,
      60 * (CRS_DEP_TIME // 100) + CRS_DEP_TIME % 100 as dep,
      60 * (CRS_ARR_TIME // 100) + CRS_ARR_TIME % 100 as arr,
      DEP_DELAY as dep_delay, ARR_DELAY as arr_delay,
      concat_ws('-', ORIGIN, DEST, OP_UNIQUE_CARRIER, strftime(day, '%Y-%m-%d'),
        CRS_DEP_TIME // 100 % 24) as name
    from read_csv($file)
  ),
  arrivals as (
    select *, day + (arr < dep - 300)::integer as arr_day from flights where dest in ('PHX', 'IAH')
  )
  select
    arrivals.name as before, departures.name as after,
    departures.dep - arrivals.arr as "plannedMin",
    arrivals.arr_delay is null
      or arrivals.arr_delay + $needed
        > departures.dep - arrivals.arr + greatest(0, departures.dep_delay) as "isMissed"
  from arrivals
  inner join flights as departures on
    departures.origin = arrivals.dest and departures.day = arrivals.arr_day
    and departures.dep - arrivals.arr between 30 and 240
  where departures.dep_delay is not null
    and (arrivals.tail is null or departures.tail is null or arrivals.tail <> departures.tail)
    and arrivals.origin <> departures.dest
    and hash(arrivals.name, departures.name) % 64 = 0
  order by all`;
