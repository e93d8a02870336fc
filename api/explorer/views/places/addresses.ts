/** Addresses of the pages of airports, airlines and routes. */

export function airportAddress(iata: string): string {
  return `/airports/${iata}`;
}

/** Address of an airport's board for today. */
export function todayAddress(iata: string): string {
  return `${airportAddress(iata)}/today`;
}

export function airlineAddress(iata: string): string {
  return `/airlines/${iata}`;
}

export function routeAddress(origin: string, dest: string): string {
  return `/routes/${origin}-${dest}`;
}

/** Address of the map around an airport. The map of the United States has more detail than the map of the world. */
export function mapOfAirport({ iata, country }: { iata: string; country: string }): string {
  return `/map?${country === 'United States' ? 'region=us&' : ''}at=${iata}`;
}
