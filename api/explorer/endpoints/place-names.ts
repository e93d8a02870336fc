import type { Airport, ScoreStore } from '../../../warehouse/store/types.ts';
import type { AirportName, Span } from '../views/places/places-data.ts';

/** The months the history has. */
export function spanOf({ manifest }: ScoreStore): Span {
  const { months } = manifest;
  return { first: months[0] ?? '', last: months.at(-1) ?? '', months: months.length };
}

export function airportName({ iata, name, city, country }: Airport): AirportName {
  return { iata, name, city: city || name, country };
}

/** City and code, as lists name an airport. */
export function placeName(iata: string, store: ScoreStore): string {
  const airport = store.airport(iata);
  return airport ? `${airport.city || airport.name} ${iata}` : iata;
}
