/** The tables of a score store. Each table has a query on the warehouse, and a type for every column. */

import { OUTCOME_STEPS } from './outcome-kinds.ts';
import { HOURS } from '../ground/hours.ts';

/**
 * Types of columns.
 * - `number` has 64 bits.
 * - `number?` has 64 bits; an unknown value is NaN.
 * - `single` has 32 bits, for wide tables with figures that are rounded later.
 * - `singles` is a list of `single` in each row.
 */
export type ColumnType = 'text' | 'integer' | 'number' | 'number?' | 'single' | 'singles';

export type StoreTable = {
  /** Query that fills the table, with the rows in stored order. */
  query: string;
  columns: Record<string, ColumnType>;
};

const STATS = {
  flight_count: 'integer',
  completed_count: 'integer',
  delayed_count: 'integer',
  cancelled_count: 'integer',
  delayed_min_sum: 'integer',
  delayed_rate: 'number',
  cancelled_rate: 'number',
} as const;

/** Returns SQL for a list with the value of each hour of the day, 0 to 23. An hour without a value has 0. */
function perHour(value: 'congestion' | 'weighted_flight_count'): string {
  const values = HOURS.map(
    (hour) => `coalesce(any_value(${value}) filter (where local_hour = ${hour}), 0)`,
  );
  return `[${values.join(', ')}] as hours`;
}

/** Returns SQL for a list with the value of each step of `OUTCOME_STEPS`. A step without a value has 0. */
function perStep(value: 'effect' | 'spread'): string {
  const values = OUTCOME_STEPS.map(
    (step) => `coalesce(any_value(${value}) filter (where step = '${step}'), 0)`,
  );
  return `[${values.join(', ')}]`;
}

export const STORE_TABLES = {
  network: {
    query: `select network.delayed_rate, cancelled_rate, prior_flights, log_odds as level_log_odds,
        delay_level.delayed_rate as level_rate, is_now::integer as is_level_now, calendar_days,
        full_hour_log_odds
      from marts.network cross join marts.delay_level`,
    columns: {
      delayed_rate: 'number',
      cancelled_rate: 'number',
      prior_flights: 'number',
      level_log_odds: 'number',
      level_rate: 'number',
      is_level_now: 'integer',
      calendar_days: 'integer',
      full_hour_log_odds: 'number',
    },
  },
  airports: {
    query: `select * from reference.airports order by iata`,
    columns: {
      iata: 'text',
      name: 'text',
      city: 'text',
      country: 'text',
      country_code: 'text',
      time_zone: 'text',
      latitude: 'number',
      longitude: 'number',
    },
  },
  airlines: {
    query: `select * from reference.airlines order by iata`,
    columns: { iata: 'text', name: 'text', country: 'text' },
  },
  routes: {
    query: `select * from marts.route_otp order by origin, dest`,
    columns: { origin: 'text', dest: 'text', ...STATS },
  },
  route_carriers: {
    query: `select * from marts.route_carrier_otp order by origin, dest, carrier`,
    columns: { origin: 'text', dest: 'text', carrier: 'text', ...STATS },
  },
  // The rows are in the order of `route_carriers`. Months are counted since January 1970.
  route_records: {
    query: `select
        date_diff('month', date '1970-01-01', first_month) as first_month,
        date_diff('month', date '1970-01-01', last_month) as last_month
      from marts.route_records order by origin, dest, carrier`,
    columns: { first_month: 'integer', last_month: 'integer' },
  },
  group_rates: {
    query: `select * from marts.group_rates order by kind, code`,
    columns: { kind: 'text', code: 'text', delayed_rate: 'number', cancelled_rate: 'number' },
  },
  congestion: {
    query: `select days.congestion, by_hour.*
      from marts.airport_day_congestion as days
      inner join (
        select airport, month_of_year, weekday, ${perHour('congestion')}
        from marts.airport_hour_congestion group by all
      ) as by_hour using (airport, month_of_year, weekday)
      order by airport, month_of_year, weekday`,
    columns: {
      airport: 'text',
      month_of_year: 'integer',
      weekday: 'integer',
      congestion: 'number',
      hours: 'singles',
    },
  },
  departure_hours: {
    query: `select origin, dest, carrier, ${perHour('weighted_flight_count')}
      from marts.route_carrier_hours group by all order by origin, dest, carrier`,
    columns: { origin: 'text', dest: 'text', carrier: 'text', hours: 'singles' },
  },
  // One row per origin, dest, brand and operator. Months are counted since January 1970.
  brand_operators: {
    query: `select brand_operators.* replace (
        date_diff('month', date '1970-01-01', first_month) as first_month,
        date_diff('month', date '1970-01-01', last_month) as last_month
      ), coalesce(by_hour.hours, [0 for hour in range(24)]) as hours
      from marts.brand_operators
      left join (select origin, dest, brand, carrier, ${perHour('weighted_flight_count')}
        from marts.brand_operator_hours group by all) as by_hour using (origin, dest, brand, carrier)
      order by origin, dest, brand, carrier`,
    columns: {
      ...{ origin: 'text', dest: 'text', brand: 'text', carrier: 'text' },
      ...STATS,
      share: 'number',
      inferred_share: 'number',
      confidence: 'number?',
      first_month: 'integer',
      last_month: 'integer',
      hours: 'singles',
    },
  },
  climatology: {
    query: `select * from marts.airport_climatology order by airport, month_of_year`,
    columns: {
      airport: 'text',
      month_of_year: 'integer',
      temp_mean_c: 'number?',
      wind_max_kmh: 'number?',
      precip_max_mm: 'number?',
      snowfall_cm: 'number?',
      visibility_min_m: 'number?',
      risk: 'number',
    },
  },
  // One row per group. The query has one row per effect; `layOutEffects` converts its rows.
  delay_effects: {
    query: `select kind, key, effect from marts.delay_effects order by kind, key`,
    columns: { group: 'integer', codes: 'text', effects: 'singles' },
  },
  // One row per group of flights, named by kind and key. The lists have a value for each step of `OUTCOME_STEPS`.
  outcome_effects: {
    query: `select kind || ' ' || key as name, ${perStep('effect')} as effects, ${perStep('spread')} as spreads
      from marts.outcome_effects group by kind, key order by name`,
    columns: { name: 'text', effects: 'singles', spreads: 'singles' },
  },
  // The rows of each airline-route, in the order of `route_carriers`: a row with hour -1 for all hours together, then a
  // row per departure hour. `pipelines/features/flight-odds.ts` fills this table when a store is published.
  flight_odds: {
    query: `select 0 as hour, 0.0 as log_odds, 0.0 as summer_log_odds, 0.0 as winter_log_odds limit 0`,
    columns: {
      hour: 'integer',
      log_odds: 'single',
      summer_log_odds: 'single',
      winter_log_odds: 'single',
    },
  },
  // Records for the pages of airports, airlines and routes: one row per kind and code. `cells` lists the slots with
  // flights, each as `slot completed delayed cancelled`, separated by commas. It is a text, because few of the many
  // cells are ever read.
  record_cells: {
    query: `select
        kind,
        code,
        string_agg(concat_ws(' ', slot, completed_count, delayed_count, cancelled_count), ',' order by slot) as cells
      from marts.record_cells group by kind, code order by kind, code`,
    columns: { kind: 'text', code: 'text', cells: 'text' },
  },
  comparisons: {
    query: `select * from marts.comparisons order by kind, key`,
    columns: {
      kind: 'text',
      key: 'text',
      completed_count: 'integer',
      delayed_count: 'integer',
      other_count: 'integer',
      log_ratio: 'single',
      log_ratio_sd: 'single',
    },
  },
  // Months are counted since January 1970.
  recent_months: {
    query: `select * replace (date_diff('month', date '1970-01-01', month) as month)
      from marts.recent_months order by kind, code, month`,
    columns: {
      kind: 'text',
      code: 'text',
      month: 'integer',
      flight_count: 'integer',
      delayed15_count: 'integer',
      cancelled_count: 'integer',
      diverted_count: 'integer',
    },
  },
  season_odds: {
    query: `select kind, level, odds from marts.season_odds order by kind, level`,
    columns: { kind: 'text', level: 'integer', odds: 'number' },
  },
  // One row per flight number, in order of `code`: the two characters of the airline and the number, as one integer.
  // `legs` lists the legs, each as `origin dest carrier dep arr flights`, separated by commas; an unknown time is `-`.
  // It is a text, because few of the many legs are ever read. Months are counted since January 1970.
  flight_numbers: {
    query: `select
        (256 * ascii(left(brand, 1)) + ascii(right(brand, 1))) * 10000 + flight_number as code,
        date_diff('month', date '1970-01-01', any_value(month)) as month,
        string_agg(
          concat_ws(' ', origin, dest, carrier, coalesce(crs_dep_time::varchar, '-'),
            coalesce(crs_arr_time::varchar, '-'), flight_count),
          ',' order by flight_count desc, origin, dest
        ) as legs
      from marts.flight_numbers group by brand, flight_number order by code`,
    columns: { code: 'integer', month: 'integer', legs: 'text' },
  },
  holiday_days: {
    query: `select country_code, date_diff('day', date '1970-01-01', flight_date) as epoch_day, name, log_odds
      from marts.holiday_days order by country_code, flight_date`,
    columns: { country_code: 'text', epoch_day: 'integer', name: 'text', log_odds: 'single' },
  },
} as const satisfies Record<string, StoreTable>;

export type StoreTableName = keyof typeof STORE_TABLES;

/** Version of this layout. Increase it when a table or column changes its meaning. */
export const STORE_SCHEMA_VERSION = 12;

/** Returns the file name of a table in a store version. */
export function tableFile(name: string): string {
  return `${name}.arrow`;
}
