/** Parts of a flight that is written as one word; absent parts are empty. */
export type FlightText = {
  origin: string;
  dest: string;
  airline: string;
  date: string;
  /** The text after `T`. */
  times: string;
};

/** Splits a flight such as `JFK-LAX-AA-2026-12-20` or `JFK-LAX-AA-2026-12-20T17:30`. */
export function splitFlight(text: string): FlightText {
  const [origin = '', dest = '', airline = '', ...rest] = text.split('-');
  const [date = '', times = ''] = rest.join('-').split(/[Tt]/);
  return { origin, dest, airline, date, times };
}
