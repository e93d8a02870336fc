/** Addresses of the pages of airports, airlines and routes. */

export function airportAddress(iata: string): string {
  return `/airports/${iata}`;
}

export function airlineAddress(iata: string): string {
  return `/airlines/${iata}`;
}

export function routeAddress(origin: string, dest: string): string {
  return `/routes/${origin}-${dest}`;
}
