/** Maximum number of flights in the forms of trips and comparisons; for trips, equal to `MAX_LEGS` of models/trip.ts. */
export const MAX_FLIGHTS = 4;

/** Parts of a flight that is written as one word. Missing parts are empty. */
export type FlightText = {
  flight: string;
  origin: string;
  dest: string;
  airline: string;
  date: string;
  /** The text after `T`. */
  times: string;
};

/**
 * Splits a flight such as `JFK-LAX-AA-2026-12-20`, `JFK-LAX-AA-2026-12-20T17:30` or `AA4567-2026-12-20`. A leg of a
 * flight number may be written `AA4567-JFK-2026-12-20` or `AA4567-JFK-LAX-2026-12-20`.
 */
export function splitFlight(text: string): FlightText {
  const [first = '', ...rest] = text.split('-');
  // A flight number has a digit; an airport code has none.
  if (!/\d/.test(first)) {
    const [dest = '', airline = '', ...dated] = rest;
    return { flight: '', origin: first, dest, airline, ...splitTime(dated) };
  }
  const end = rest.findIndex((part) => !/^[A-Za-z]{3}$/.test(part));
  const airportCount = Math.min(MAX_AIRPORTS, end === -1 ? rest.length : end);
  const [origin = '', dest = ''] = rest.slice(0, airportCount);
  return { flight: first, origin, dest, airline: '', ...splitTime(rest.slice(airportCount)) };
}

/** Maximum number of airports after a flight number. */
const MAX_AIRPORTS = 2;

function splitTime(dated: readonly string[]): Pick<FlightText, 'date' | 'times'> {
  const [date = '', times = ''] = dated.join('-').split(/[Tt]/);
  return { date, times };
}
