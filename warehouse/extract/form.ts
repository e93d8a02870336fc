import type { DelayBasis, LakeTree } from '../lake/lake.ts';

/**
 * A kind of source file, described by its provider. A new form needs an entry in the provider's list and `<name>.sql`
 * in the provider's folder. The SQL can use every column named here; optional columns that are missing are null.
 */
export type FlightForm = {
  name: string;
  /** Name of the provider whose files have this form. */
  provider: string;
  /** Folder with the SQL file of the form. */
  folder: string;
  /** Name of another form whose SQL also reads files of this form; absent if the form has its own SQL. */
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
  /** Encoding of older files; a file of valid UTF-8 is read as UTF-8. */
  olderEncoding?: 'latin-1';
  /**
   * Whether the SQL has the column `exclusion`: null, or `reject(…)` for a row that the provider's rules leave out, such
   * as a cargo flight.
   */
  hasExclusions?: true;
  /** Whether the SQL has the columns `brand` and `brand_flight_number`: the airline and the number on the ticket. */
  hasBrands?: true;
  /** Whether the SQL reads `airport_codes` and `airline_codes`, which map ICAO codes to IATA codes. */
  usesCodes?: true;
  /**
   * Whether delays are measured at arrival or at departure. In a `mixed` form, flights with a planned and an actual
   * arrival have delays at arrival, and others at departure. In sums, each row states where its delay is measured.
   */
  delayBasis: DelayBasis;
  /** Column with the flight number, if its name is not one of BTS's. */
  flightNumber?: string;
  /** False if the rows have no scheduled departure time. */
  hasTimes?: false;
  /** Precision of the dates. If it is `month`, the year comes from the request or the file name. */
  calendar: 'date' | 'year_month' | 'month';
};

/** Tree of the lake that has the months of a form. */
export function treeOf({ kind }: Pick<FlightForm, 'kind'>): LakeTree {
  return kind === 'delay_causes' ? 'levels' : 'flights';
}
