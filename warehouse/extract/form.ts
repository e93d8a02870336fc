import type { DelayBasis, LakeTree } from '../lake/lake.ts';

/**
 * A kind of source file, described by its provider. To add a form, add an entry to the provider's list, and a file
 * `<name>.sql` to the provider's folder. The SQL can use every column named here. An optional column that a file lacks
 * is null.
 */
export type FlightForm = {
  name: string;
  /** Name of the provider whose files have this form. */
  provider: string;
  /** Folder with the SQL file of the form. */
  folder: string;
  /** Name of another form whose SQL also reads this form; absent if the form has its own SQL. */
  source?: string;
  /**
   * Kind of rows: single flights, counts of flights per route and hour, or BTS's monthly table by airline and airport
   * of arrival.
   */
  kind: 'flights' | 'route_hours' | 'delay_causes';
  /** Lower-case column names; for `a|b`, the file needs only one of the columns `a` and `b`. */
  required: readonly string[];
  /** Lower-case names of columns that are used if present. */
  optional: readonly string[];
  /** Separator of the columns; a comma if absent. */
  delimiter?: ';';
  /** Encoding of files that are not valid UTF-8. */
  olderEncoding?: 'windows-1252';
  /**
   * Whether the SQL has the column `exclusion`. The column is `reject(…)` in a row that the provider's rules leave out,
   * such as a row of a cargo flight. In all other rows, the column is null.
   */
  hasExclusions?: true;
  /** Whether the SQL has the columns `brand` and `brand_flight_number`: the airline and the number on the ticket. */
  hasBrands?: true;
  /**
   * Whether the SQL has the column `codeshares`: a list of numbers such as `AY5852`, separated by commas. The airlines
   * of these numbers only sell the flight.
   */
  hasCodeshares?: true;
  /**
   * Whether the SQL only renames columns and converts values, so that its rows are in the order of the file. Any other
   * SQL, for example SQL with a join, must also select `row_number` from `source`.
   */
  keepsOrder?: true;
  /** Whether the SQL reads `airport_codes` and `airline_codes`, which map ICAO codes to IATA codes. */
  usesCodes?: true;
  /**
   * Whether delays are measured at arrival or at departure. With `mixed`, a flight's delay is measured at arrival if
   * the file has the flight's scheduled and actual arrival times. Otherwise, the delay is measured at departure. In a
   * file of sums, each row states where its delays were measured.
   */
  delayBasis: DelayBasis;
  /** Name of the column with the flight number, if it differs from BTS's names. */
  flightNumber?: string;
  /** False if the rows have no scheduled departure time. */
  hasTimes?: false;
  /** Precision of the dates. With `month`, the year comes from the request or from the file name. */
  calendar: 'date' | 'year_month' | 'month';
};

/** Returns the tree of the lake (flights or delay-cause table) to which the months of a form belong. */
export function treeOf({ kind }: Pick<FlightForm, 'kind'>): LakeTree {
  return kind === 'delay_causes' ? 'levels' : 'flights';
}
