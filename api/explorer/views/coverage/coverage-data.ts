/** First and last month, `YYYY-MM`, and the number of flights. */
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
  /** Two-letter codes of the countries whose flights the provider records; empty for any country. */
  countries: string[];
  /** Page of the provider; empty if there is none. */
  url: string;
  terms: string;
  months: { first: string | null; last: string | null; count: number };
  /** Years that are known only as totals. */
  years: string[];
  /** Minutes of the shortest delay that the provider does not count; null if it counts all delays. */
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
