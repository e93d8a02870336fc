/** First and last month of flights (`YYYY-MM`), and their number. */
type Extent = { first: string; last: string; flights: number };

export type CoveredAirline = Extent & { code: string; name: string; routes: number };

export type CoveredRoute = Extent & {
  origin: string;
  dest: string;
  name: string;
  airlines: number;
};

/** The record of one provider. */
export type CoveredRecord = {
  provider: string;
  title: string;
  /** Two-letter codes of the countries in the record. Empty if the record is not limited to countries. */
  countries: string[];
  /** Address of the provider's page; empty without a page. */
  url: string;
  terms: string;
  months: { first: string | null; last: string | null; count: number };
  /** Years for which only yearly totals are known. */
  years: string[];
  /** The provider does not count shorter delays than this, in minutes; null if it counts all delays. */
  inferred_over_min: number | null;
  flights: number;
  airports: number;
  route_count: number;
  airline_count: number;
  /** The airlines with the most flights. */
  airlines: CoveredAirline[];
  /** The routes with the most flights. */
  routes: CoveredRoute[];
};

/** The data of `/coverage`. */
export type CoverageData = { records: CoveredRecord[] };
