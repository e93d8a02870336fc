import table from './cities.json' with { type: 'json' };

/** A city with several airports, and its metropolitan code. The code may also be the code of one of the airports. */
export type City = { code: string; name: string; airports: readonly string[] };

/** All cities with several airports, in the order of the table. */
export const CITIES: readonly City[] = table.lists.flatMap(({ cities }) => cities);

const byAirport = new Map(
  CITIES.flatMap((city) => city.airports.map((airport) => [airport, city] as const)),
);

const byCode = new Map(CITIES.map((city) => [city.code, city]));

/** Returns the city of an airport; undefined if the city has no other airport. */
export function cityOfAirport(airport: string): City | undefined {
  return byAirport.get(airport);
}

/** Returns the city with a metropolitan code such as `NYC`. */
export function cityOfCode(code: string): City | undefined {
  return byCode.get(code);
}
