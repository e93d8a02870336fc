import { CONNECTING_MINUTES } from '../../../models/connecting-times.ts';
import { openDatabase } from '../../../warehouse/connect.ts';

/** Flights that test the forecasts of missed connections. */
export type ConnectionSet = {
  title: string;
  file: string;
  form: keyof typeof FLIGHTS;
  /** Airports of the connections. For these airports, the file has all departures of each day. */
  airports: readonly string[];
  /**
   * The first day of each test period and, at the end, the day after the last period. Each period is forecast from
   * earlier data.
   */
  cuts: readonly string[];
  /** Size of the sample: of this many connections, one is forecast. */
  oneIn: number;
};

/**
 * Test sets. Each file has all departures of whole days from the airports of its set. The title names the arrivals in
 * the file. The bundled history has earlier flights at these airports.
 */
export const CONNECTION_SETS: readonly ConnectionSet[] = [
  {
    title: 'Phoenix and Houston, December 2019, all arrivals',
    file: 'flights/phx_iah_2019_12.csv.gz',
    form: 'short',
    airports: ['PHX', 'IAH'],
    cuts: ['2019-12-01', '2020-01-01'],
    oneIn: 64,
  },
  {
    title: 'Seattle and Portland, January to October 2023, arrivals from the other of the two',
    file: 'flights/pnw_2023_01-10.parquet',
    form: 'nycflights',
    airports: ['SEA', 'PDX'],
    cuts: ['2023-01-01', '2023-04-01', '2023-07-01', '2023-11-01'],
    oneIn: 16,
  },
  {
    title: 'Arizona, 2024, arrivals from another airport of Arizona',
    file: 'flights/az_2024.parquet',
    form: 'nycflights',
    airports: ['PHX', 'TUS', 'AZA', 'FLG', 'PRC'],
    cuts: ['2024-01-01', '2024-04-01', '2024-07-01', '2024-10-01', '2025-01-01'],
    oneIn: 16,
  },
];

/** A possible connection, and whether it would have been missed. Flights are named `JFK-LAX-AA-2019-12-01-8`. */
export type SeenConnection = {
  before: string;
  after: string;
  plannedMin: number;
  isMissed: boolean;
  /** Whether the first flight arrives more than 30 minutes late. */
  isLate: boolean;
  /** Whether the first flight is cancelled or diverted. */
  isLost: boolean;
  /** Day of the first flight, `YYYY-MM-DD`. */
  day: string;
};

/** Reads a sample of the connections that leave 30 to 240 minutes between the two flights. */
export async function readConnections(
  { form, airports, oneIn }: ConnectionSet,
  file: string,
): Promise<SeenConnection[]> {
  const db = await openDatabase();
  try {
    await db.run(`create temp table flights as ${FLIGHTS[form]}`, { file });
    return await db.rows(TEST_CONNECTIONS, {
      airports: JSON.stringify(airports),
      needed: CONNECTING_MINUTES.domestic,
      one_in: oneIn,
    });
  } finally {
    db.close();
  }
}

const minutes = (time: string) => `60 * (${time} // 100) + ${time} % 100`;

/** SQL that reads flights, for each form of file. Delays are null for flights that were cancelled or diverted. */
const FLIGHTS = {
  short: `
    select FL_DATE::date as day, ORIGIN as origin, DEST as dest, OP_UNIQUE_CARRIER as carrier,
      TAIL_NUM as tail, CRS_DEP_TIME // 100 % 24 as hour,
      ${minutes('CRS_DEP_TIME')} as dep, ${minutes('CRS_ARR_TIME')} as arr,
      DEP_DELAY as dep_delay, ARR_DELAY as arr_delay
    from read_csv($file)`,
  nycflights: `
    select make_date(year, month, day) as day, origin, dest, carrier,
      tailnum as tail, sched_dep_time // 100 % 24 as hour,
      ${minutes('sched_dep_time')} as dep, ${minutes('sched_arr_time')} as arr,
      dep_delay, arr_delay
    from read_parquet($file)`,
};

/**
 * A traveller cannot miss a cancelled departure. After a cancelled or diverted arrival, a traveller misses every
 * departure.
 */
const TEST_CONNECTIONS = `
  with named as (
    select *, concat_ws('-', origin, dest, carrier, strftime(day, '%Y-%m-%d'), hour) as name
    from flights
  ),
  arrivals as (
    select *, day + (arr < dep - 300)::integer as arr_day
    from named where dest in (from unnest($airports::json::varchar[]))
  )
  select
    arrivals.name as before, departures.name as after,
    departures.dep - arrivals.arr as "plannedMin",
    arrivals.arr_delay is null
      or arrivals.arr_delay + $needed
        > departures.dep - arrivals.arr + greatest(0, departures.dep_delay) as "isMissed",
    coalesce(arrivals.arr_delay > 30, false) as "isLate",
    arrivals.arr_delay is null as "isLost",
    strftime(arrivals.day, '%Y-%m-%d') as day
  from arrivals
  inner join named as departures on
    departures.origin = arrivals.dest and departures.day = arrivals.arr_day
    and departures.dep - arrivals.arr between 30 and 240
  where departures.dep_delay is not null
    and (arrivals.tail is null or departures.tail is null or arrivals.tail <> departures.tail)
    and arrivals.origin <> departures.dest
    and hash(arrivals.name, departures.name) % $one_in = 0
  order by all`;
