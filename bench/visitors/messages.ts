/** The visitors of a server; `flights` are paths like `JFK-LAX-DL-2026-11-22`. */
export type Crowd = { port: number; flights: string[]; pages: string[]; visitors: number };
export type Visits = { requests: number; failed: number };

/** Returns the path that the page of a flight requests when its date or hour changes. */
export function pageDataPath(flight: string, depTime: string): string {
  const [origin = '', dest = '', airline = '', ...date] = flight.split('-');
  return `/explorer/flight?${new URLSearchParams({ origin, dest, airline, date: date.join('-'), dep_time: depTime })}`;
}
