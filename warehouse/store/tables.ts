/** The tables of a score store: what is read from the warehouse to fill each, and the type of every column. */

export type ColumnType = 'text' | 'integer' | 'number';

export type StoreTable = {
  /** One row per …; the query that fills the table, in the order it is stored. */
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

export const STORE_TABLES = {
  network: {
    query: `select delayed_rate, cancelled_rate, prior_flights from marts.network`,
    columns: { delayed_rate: 'number', cancelled_rate: 'number', prior_flights: 'number' },
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
  departure_hours: {
    query: `select * from marts.departure_hours order by origin, dest, carrier, local_hour`,
    columns: {
      origin: 'text',
      dest: 'text',
      carrier: 'text',
      local_hour: 'integer',
      share: 'number',
    },
  },
  group_rates: {
    query: `select * from marts.group_rates order by kind, code`,
    columns: { kind: 'text', code: 'text', delayed_rate: 'number', cancelled_rate: 'number' },
  },
  congestion: {
    query: `select airport, month_of_year, weekday, congestion from marts.airport_day_congestion
      order by airport, month_of_year, weekday`,
    columns: {
      airport: 'text',
      month_of_year: 'integer',
      weekday: 'integer',
      congestion: 'number',
    },
  },
  delay_effects: {
    query: `select kind, key, effect from marts.delay_effects order by kind, key`,
    columns: { kind: 'text', key: 'text', effect: 'number' },
  },
  season_odds: {
    query: `select kind, level, odds from marts.season_odds order by kind, level`,
    columns: { kind: 'text', level: 'integer', odds: 'number' },
  },
  holiday_windows: {
    query: `select country_code, date_diff('day', date '1970-01-01', flight_date) as epoch_day, days
      from marts.holiday_windows order by country_code, flight_date`,
    columns: { country_code: 'text', epoch_day: 'integer', days: 'integer' },
  },
} as const satisfies Record<string, StoreTable>;

export type StoreTableName = keyof typeof STORE_TABLES;

/** Version of the layout above; raise it when a table or column changes meaning. */
export const STORE_SCHEMA_VERSION = 4;

/** File of a table inside a store version. */
export function tableFile(name: string): string {
  return `${name}.arrow`;
}
