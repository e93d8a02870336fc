/** A part of the seed, from one or two files; no flight is in two parts. */
export type SeedPart = {
  /** The source files. Each key is the variable that the query uses for the file. */
  sources: Record<string, string>;
  /** A query of `sql/seed` that writes the selected flights; absent for files that are used whole. */
  query?: string;
  /** Year of the flights, if the file does not state the year. */
  year?: number;
  what: string;
};

const CARRIERS_2018 = 'us_2018_16carriers_bymonth.parquet';
const AIRPORTS_2018 = 'us_2018_300airports_bymonth.parquet';

/** Sources of the route records; described in docs/data-sources.md. */
export const ROUTE_PARTS: SeedPart[] = [
  {
    sources: { carriers_file: CARRIERS_2018, airports_file: AIRPORTS_2018 },
    query: 'us_2018_flights',
    year: 2018,
    what: '2018: sixteen airlines from all airports, Southwest from all but the 29 largest',
  },
  {
    sources: {
      departures_file: 'us_2018_01_10_depdelay.parquet',
      airports_file: AIRPORTS_2018,
    },
    query: 'us_2018_01_southwest',
    what: 'January 2018: departures of Southwest from the 29 largest airports, with delays but without times of day',
  },
  {
    sources: { flights_file: 'phx_iah_2019_12.csv.gz' },
    what: 'December 2019: from and to Phoenix and Houston',
  },
  {
    sources: { departures_file: 'us_2022_02_04_depdelay.parquet' },
    query: 'us_2022_flights',
    what: 'February and April 2022: airlines with complete months in the file, departures without times',
  },
  {
    sources: { flights_file: 'pnw_2023_01-10.parquet' },
    what: 'January to October 2023: from Seattle and Portland',
  },
  {
    sources: { flights_file: 'us_2024-08_2025-04_20hubs.parquet' },
    what: 'August 2024 to April 2025: between the 20 largest airports',
  },
];

/** Sources of the effects of weekdays. */
export const CALENDAR_PARTS: SeedPart[] = [
  { sources: { flights_file: 'nyc_2017.parquet' }, what: 'days of New York 2017' },
  {
    sources: { flights_file: 'pnw_2023_01-10.parquet' },
    what: 'days of Seattle and Portland 2023',
  },
];

/** Records of other providers that may be shipped with the code, each in a file of its own. */
export const PROVIDER_PARTS: Record<string, SeedPart[]> = {
  hkia: [
    {
      sources: { flights_file: 'hkia_past_2025-10-16_2025-12-31.ndjson.gz' },
      what: 'October to December 2025: from and to Hong Kong',
    },
  ],
  zrh: [{ sources: { flights_file: 'zrh_2017_flights.csv.gz' }, what: '2017: from and to Zurich' }],
  bitre: [
    {
      sources: { counts_file: 'bitre_otp_time_series_web_2020-01_2023-12.csv.gz' },
      what: '2020 to 2023: domestic flights in Australia, counts without hours',
    },
  ],
};

/** BTS's monthly table by airline and airport. */
export const LEVELS_PART: SeedPart = {
  sources: { table_file: 'bts_delay_cause_2018-01_2025-12.parquet' },
  what: 'January 2018 to December 2025: counts of all, late, cancelled and diverted flights by airline and airport of arrival',
};
