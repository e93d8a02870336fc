import path from 'node:path';
import { openDatabase, type Database } from '../../../warehouse/connect.ts';
import { AIRPORT_TABLE } from '../../../warehouse/reference/airport-table.ts';

/**
 * Limits of arrival delays, in minutes; negative is early. For each limit, the fit counts the flights that are delayed
 * more than the limit but less than 15 minutes.
 */
export const EARLY_MINUTES = [-30, -20, -15, -10, -5, 0, 5, 10] as const;

/**
 * Limits of delays, in minutes. For each limit, the fit counts the flights with a longer delay at departure, and the
 * flights with a longer delay at arrival.
 */
export const DEPARTURE_MINUTES = [0, 5, 10, 15, 30, 45, 60, 90, 120, 180, 360] as const;

/** Files of flights with delays at both ends. */
export const FLIGHT_FILES = [
  'flights/nyc_2017.parquet',
  'flights/az_2024.parquet',
  'flights/bwi_2021.parquet',
  'flights/pnw_2023_01-10.parquet',
  'flights/pnw_2016-06_2017-05.parquet',
];

/**
 * Files with all flights from and to an airport on whole days. The files of Phoenix and Houston are left out, because
 * they test the fit.
 */
const [US_2015, ZURICH] = ['flights/us_2015-01-01_04.csv.gz', 'world/zrh_2017_flights.csv.gz'];
export const CORRELATION_FILES = [US_2015, ZURICH];

/** Flights of one airline from one airport in three hours of the day, with counts of delays. */
export type DelayGroup = {
  completed: number;
  departed: number;
  /** Number of flights at least 15 minutes late on arrival, as a list with one element. */
  late: number[];
  /**
   * For each limit of `EARLY_MINUTES`, the number of flights that arrived later than the limit, but less than 15
   * minutes late.
   */
  early: number[];
  /**
   * For each limit of `DEPARTURE_MINUTES`, the number of flights that departed later than the limit. For the limit of
   * 15 minutes, flights exactly 15 minutes late count too.
   */
  departedLate: number[];
  /**
   * For each limit of `DEPARTURE_MINUTES`, the number of flights that arrived later than the limit. For limits up to 15
   * minutes, this is the number of flights at least 15 minutes late.
   */
  arrivedLate: number[];
};

/** Correlation of the normal scores of two delays. */
export type Correlation = {
  pair: 'same flight' | 'connection';
  source: string;
  pairs: number;
  normal: number;
};

/** Minimum size of a group. A smaller group has too few flights for a reliable estimate. */
const MIN_FLIGHTS = 300;

/** Counts the delays of all files by airport, airline and three hours of the day. */
export async function readDelayGroups(dataDir: string): Promise<DelayGroup[]> {
  return withDatabase(async (db) => {
    const groups: DelayGroup[] = [];
    for (const file of FLIGHT_FILES) {
      groups.push(...(await db.rows<DelayGroup>(DELAY_GROUPS, { file: path.join(dataDir, file) })));
    }
    return groups;
  });
}

const counts = (condition: (minutes: number) => string, minutes: readonly number[]) =>
  `[${minutes.map((one) => `count(*) filter (where ${condition(one)})`).join(', ')}]`;

const arrivedLater = (minutes: number) =>
  minutes <= 15 ? 'arr_delay >= 15' : `arr_delay > ${minutes}`;

const DELAY_GROUPS = `
  select
    count(arr_delay) as completed,
    count(dep_delay) as departed,
    ${counts(arrivedLater, [15])} as late,
    ${counts((minutes) => `arr_delay < 15 and arr_delay > ${minutes}`, EARLY_MINUTES)} as early,
    ${counts((minutes) => (minutes === 15 ? 'dep_delay >= 15' : `dep_delay > ${minutes}`), DEPARTURE_MINUTES)} as "departedLate",
    ${counts(arrivedLater, DEPARTURE_MINUTES)} as "arrivedLate"
  from read_parquet($file)
  where arr_delay is not null
  group by origin, carrier, dep_time // 300
  having count(arr_delay) >= ${MIN_FLIGHTS}
  order by origin, carrier, min(dep_time)`;

/** Mean scheduled minutes of the flights on a route. */
export type RouteTime = {
  flights: number;
  minutes: number;
  from: { latitude: number; longitude: number };
  to: { latitude: number; longitude: number };
};

/** Reads the scheduled times of all routes of the United States. */
export async function readRouteTimes(dataDir: string): Promise<RouteTime[]> {
  return withDatabase((db) =>
    db.rows<RouteTime>(ROUTE_TIMES, { file: path.join(dataDir, US_2015), airports: AIRPORT_TABLE }),
  );
}

const place = (airport: string) =>
  `{ latitude: ${airport}.latitude, longitude: ${airport}.longitude }`;

const ROUTE_TIMES = `
  select count(*) as flights, avg(SCHEDULED_TIME::double) as minutes,
    any_value(${place('origin')}) as "from", any_value(${place('dest')}) as "to"
  from read_csv($file, all_varchar = true) as flights
  inner join read_parquet($airports) as origin on origin.iata = ORIGIN_AIRPORT
  inner join read_parquet($airports) as dest on dest.iata = DESTINATION_AIRPORT
  group by ORIGIN_AIRPORT, DESTINATION_AIRPORT
  order by ORIGIN_AIRPORT, DESTINATION_AIRPORT`;

/** Measures the correlations in all files. */
export async function readCorrelations(dataDir: string): Promise<Correlation[]> {
  return withDatabase(async (db) => {
    const correlations: Correlation[] = [];
    for (const file of FLIGHT_FILES) {
      const [row] = await db.rows<Measured>(SAME_FLIGHT, { file: path.join(dataDir, file) });
      if (row) correlations.push(correlationOf('same flight', path.basename(file), row));
    }
    for (const [file, movements] of [
      [US_2015, US_MOVEMENTS],
      [ZURICH, ZURICH_MOVEMENTS],
    ] as const) {
      await db.run(`create or replace temp table movements as ${movements}`, {
        file: path.join(dataDir, file),
      });
      const [row] = await db.rows<Measured>(CONNECTIONS);
      if (row) correlations.push(correlationOf('connection', path.basename(file), row));
    }
    return correlations;
  });
}

type Measured = { pairs: number; ranks: number };

/** Converts a correlation of ranks to the correlation of normal scores. */
function correlationOf(
  pair: Correlation['pair'],
  source: string,
  { pairs, ranks }: Measured,
): Correlation {
  return { pair, source, pairs, normal: 2 * Math.sin((Math.PI * ranks) / 6) };
}

/**
 * Ranks a delay within its group, such as an airline's flights at one airport in one hour of the day. Within a group,
 * delays differ only because of the day and chance.
 */
const rankOf = (delay: string, group: string) =>
  `(rank() over (partition by ${group} order by ${delay})
    + (count(*) over (partition by ${group}, ${delay}) - 1) / 2.0 - 0.5)
    / count(*) over (partition by ${group})`;

const SAME_FLIGHT = `
  with flights as (
    select origin, carrier, year, month, dep_time // 100 as hour, dep_delay, arr_delay
    from read_parquet($file)
    where arr_delay is not null and dep_delay is not null
  ),
  ranks as (
    select
      ${rankOf('dep_delay', 'origin, carrier, year, month, hour')} as departure,
      ${rankOf('arr_delay', 'origin, carrier, year, month, hour')} as arrival
    from flights
  )
  select count(*) as pairs, corr(departure, arrival) as ranks from ranks`;

const US_MOVEMENTS = `
  with flights as (
    select
      make_date(YEAR::integer, MONTH::integer, DAY::integer) as day,
      AIRLINE as airline, TAIL_NUMBER as tail, ORIGIN_AIRPORT as origin, DESTINATION_AIRPORT as dest,
      60 * SCHEDULED_DEPARTURE[1:2]::integer + SCHEDULED_DEPARTURE[3:4]::integer as dep,
      60 * SCHEDULED_ARRIVAL[1:2]::integer + SCHEDULED_ARRIVAL[3:4]::integer as arr,
      DEPARTURE_DELAY::double as dep_delay, ARRIVAL_DELAY::double as arr_delay
    from read_csv($file, all_varchar = true)
  )
  select dest as airport, 'A' as kind, day + (arr < dep - 300)::integer as day, airline, tail,
    origin as other, arr as minute, arr_delay as delay
  from flights where arr_delay is not null
  union all
  select origin, 'D', day, airline, tail, dest, dep, dep_delay
  from flights where dep_delay is not null`;

const ZURICH_MOVEMENTS = `
  select 'ZRH' as airport, case start_landing when 'S' then 'D' else 'A' end as kind,
    date::date as day, airline_code as airline, null as tail, origin_destination as other,
    60 * hour(planed_time) + minute(planed_time) as minute,
    date_diff('second', planed_time::time, effective_time::time) / 60.0 as delay
  from read_csv($file)
  where abs(date_diff('hour', planed_time::time, effective_time::time)) < 10`;

/**
 * Pairs of an arrival and a departure that is 30 to 240 minutes later. Only every seventh pair is read, which is
 * enough.
 */
const CONNECTIONS = `
  with busy as (
    select airport from movements where kind = 'D' group by all having count(*) > 1000
  ),
  ranks as (
    select movements.*, ${rankOf('delay', 'airport, kind, minute // 60, airline')} as score,
      count(*) over (partition by airport, kind, minute // 60, airline) as flights
    from movements inner join busy using (airport)
  )
  select count(*) as pairs, corr(arrival.score, departure.score) as ranks
  from ranks as arrival
  inner join ranks as departure on
    arrival.airport = departure.airport and arrival.day = departure.day
    and departure.minute - arrival.minute between 30 and 240
  where arrival.kind = 'A' and departure.kind = 'D'
    and arrival.flights > 20 and departure.flights > 20
    and (arrival.tail is null or arrival.tail <> departure.tail)
    and arrival.other <> departure.other
    and hash(arrival.other, arrival.minute, arrival.day, departure.minute) % 7 = 0`;

async function withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await openDatabase();
  try {
    return await work(db);
  } finally {
    db.close();
  }
}
