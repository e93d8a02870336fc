/** What the pages of airports, airlines and routes are made of. */

/** A share of flights late or cancelled, 0 to 1, and the points that such odds have on the scale of the score. */
export type Risk = { share: number; score: number };

/** Rows of 24 hours; null where nothing leaves. `flights`: the share of the row's flights that leaves in that hour. */
export type RiskGrid = ((Risk & { flights: number }) | null)[][];

/** Flights with a known delay, those of them more than 30 minutes late, and those cancelled beside them. */
export type Counted = { flights: number; late: number; cancelled: number };

/** All scheduled flights, those with a known delay, those of them more than 30 minutes late, and those cancelled. */
export type RecordTotals = { flights: number; completed: number; late: number; cancelled: number };

/** How many times as often flights are late as flights like them; in 90 of 100 cases it lies from `low` to `high`. */
export type Compared = {
  /** Its flights that have like ones, how many of them were late, and the like ones. */
  flights: number;
  late: number;
  others: number;
  ratio: number;
  low: number;
  high: number;
};

/** Something with a name and an address of its own that is compared with its like. */
export type Rated = Compared & {
  code: string;
  name: string;
  address: string;
  /** What is to be expected of its flights now. */
  usual: Risk | null;
};

/** A month of the delay-cause table, `YYYY-MM`; `late15`: 15 minutes or more. */
export type RecentMonthBody = {
  month: string;
  flights: number;
  late15: number;
  cancelled: number;
  diverted: number;
};

/** First and last month of the history, `YYYY-MM`, and how many months it has. */
export type Span = { first: string; last: string; months: number };

/** First and last month of a record, `YYYY-MM`; there may be none of some between. */
export type RecordEnds = { first: string; last: string } | null;

export type AirportName = { iata: string; name: string; city: string; country: string };

export type AirportData = {
  airport: AirportName & { time_zone: string };
  record_ends: RecordEnds;
  /** Of its departures. */
  record: RecordTotals;
  late_share: number | null;
  network_share: number;
  /** What is to be expected of its departures now, and of its arrivals. */
  usual: { departures: Risk | null; arrivals: Risk | null };
  routes: number;
  /** Departures by month and hour. */
  by_month: (Counted | null)[][] | null;
  /** The same by weekday, where the history tells weekdays. */
  by_weekday: (Counted | null)[][] | null;
  /** What is to be expected now, by weekday and hour. */
  usual_by_weekday: RiskGrid;
  /** Against other airports: its departures, and its arrivals. */
  compared: { departures: Compared | null; arrivals: Compared | null };
  airlines: Rated[];
  /** Of its routes that can be compared the least late and the latest, and how many there are. */
  rated_routes: Rated[];
  compared_routes: number;
  /** Its routes with most flights. */
  busiest: { dest: string; city: string; flights: number; usual: Risk | null }[];
  recent: RecentMonthBody[];
};

export type AirlineData = {
  airline: { iata: string; name: string; country: string };
  record_ends: RecordEnds;
  record: RecordTotals;
  late_share: number | null;
  network_share: number;
  usual: Risk | null;
  routes: number;
  by_month: (Counted | null)[][] | null;
  usual_by_weekday: RiskGrid;
  compared: Compared | null;
  /** Every airline against the others on its routes. */
  rivals: Rated[];
  /** Of those that can be compared the least late and the latest. */
  rated_airports: Rated[];
  compared_airports: number;
  rated_routes: Rated[];
  compared_routes: number;
  busiest: { origin: string; dest: string; name: string; flights: number; usual: Risk | null }[];
  recent: RecentMonthBody[];
};

export type RouteData = {
  origin: AirportName;
  dest: AirportName;
  distance_km: number;
  record_ends: RecordEnds;
  record: RecordTotals;
  late_share: number | null;
  network_share: number;
  usual: Risk | null;
  by_month: (Counted | null)[];
  by_hour: (Counted | null)[];
  usual_by_weekday: RiskGrid;
  usual_by_month: RiskGrid;
  compared: Compared | null;
  airlines: {
    iata: string;
    name: string;
    record: RecordTotals;
    usual: Risk | null;
    compared: Compared | null;
    first: string;
    last: string;
  }[];
  /** Whether the history has flights the other way. */
  has_return: boolean;
};

/** Airlines, or airports, against their like. */
export type RankingData = {
  of: 'airlines' | 'airports';
  span: Span;
  rated: Rated[];
  /** The route with most flights. */
  busiest: { origin: string; dest: string } | null;
};
