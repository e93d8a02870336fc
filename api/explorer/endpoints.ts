import type { Endpoint } from './endpoint.ts';
import { flightEndpoint } from './endpoints/flight.ts';
import { placesEndpoint } from './endpoints/places.ts';
import { searchEndpoint } from './endpoints/search.ts';
import { startEndpoint } from './endpoints/start.ts';
import { statusEndpoint } from './endpoints/status.ts';

/** Every endpoint of the explorer. */
export const ENDPOINTS: readonly Endpoint[] = [
  startEndpoint,
  flightEndpoint,
  placesEndpoint,
  searchEndpoint,
  statusEndpoint,
];
