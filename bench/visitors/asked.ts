/** Flights as `JFK-LAX-DL`. */
export type Crowd = { port: number; flights: string[]; pages: string[]; visitors: number };
export type Visits = { asked: number; failed: number };

/** What the page of a flight asks for when a date or an hour is changed. */
export function sourceOf(flight: string, depTime: string): string {
  const [origin = '', dest = '', airline = '', ...date] = flight.split('-');
  return `/explorer/flight?${new URLSearchParams({ origin, dest, airline, date: date.join('-'), dep_time: depTime })}`;
}
