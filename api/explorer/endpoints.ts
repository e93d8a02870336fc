import type { Endpoint } from './endpoint.ts';
import { airlineEndpoint } from './endpoints/airline.ts';
import { airportEndpoint } from './endpoints/airport.ts';
import { alternativesEndpoint } from './endpoints/alternatives.ts';
import { coverageEndpoint } from './endpoints/coverage.ts';
import { dataEndpoint } from './endpoints/data.ts';
import { compareEndpoint } from './endpoints/compare.ts';
import { flightEndpoint } from './endpoints/flight.ts';
import { interfaceEndpoint } from './endpoints/interface.ts';
import { mapEndpoint } from './endpoints/map.ts';
import { modelEndpoint } from './endpoints/model.ts';
import { rankingEndpoint } from './endpoints/ranking.ts';
import { recordEndpoint } from './endpoints/record.ts';
import { routeEndpoint } from './endpoints/route.ts';
import { searchEndpoint } from './endpoints/search.ts';
import { startEndpoint } from './endpoints/start.ts';
import { statusEndpoint } from './endpoints/status.ts';
import { todayEndpoint } from './endpoints/today.ts';
import { tripEndpoint } from './endpoints/trip.ts';

/** All endpoints of the explorer. */
export const ENDPOINTS: readonly Endpoint[] = [
  startEndpoint,
  flightEndpoint,
  compareEndpoint,
  alternativesEndpoint,
  tripEndpoint,
  searchEndpoint,
  airportEndpoint,
  todayEndpoint,
  airlineEndpoint,
  routeEndpoint,
  rankingEndpoint,
  mapEndpoint,
  modelEndpoint,
  recordEndpoint,
  statusEndpoint,
  coverageEndpoint,
  dataEndpoint,
  interfaceEndpoint,
];
