/** Counts of one month (`YYYY-MM`) in the delay-cause table, of an airline or of the arrivals at an airport. */
export type RecentMonth = {
  month: string;
  /** Scheduled arrivals, including cancelled and diverted flights. */
  flightCount: number;
  /** Flights that arrived 15 minutes late or more. */
  delayed15Count: number;
  cancelledCount: number;
  divertedCount: number;
};
