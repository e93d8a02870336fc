import type { Airport, ScoreStore } from '../../../warehouse/store/types.ts';
import type { AirportName, Span } from '../views/places/places-data.ts';

/** Returns the first and last month of the history, and the number of months. */
export function spanOf({ manifest }: ScoreStore): Span {
  const { months } = manifest;
  return { first: months[0] ?? '', last: months.at(-1) ?? '', months: months.length };
}

export function airportName({ iata, name, city, country, countryCode }: Airport): AirportName {
  return { iata, name, city: city || name, country, country_code: countryCode };
}

/** Returns the city of an airport. If the city is unknown, returns the airport's code. */
export function cityOf(iata: string, store: ScoreStore): string {
  return store.airport(iata)?.city || iata;
}

/** Formats `New York to Los Angeles`. */
export function routeName(origin: string, dest: string, store: ScoreStore): string {
  return `${cityOf(origin, store)} to ${cityOf(dest, store)}`;
}
