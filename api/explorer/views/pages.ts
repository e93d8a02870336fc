import { alternativesPage } from './flight/alternatives-page.ts';
import { coveragePage } from './coverage/coverage-page.ts';
import { comparePage } from './compare/compare-page.ts';
import { dataPage } from './snapshots/data-page.ts';
import { embedPage } from './flight/embed-page.ts';
import { flightPage, namedFlightPage } from './flight/flight-page.ts';
import { interfacePage } from './interface/interface-page.ts';
import { mapPage } from './map/map-page.ts';
import { modelPage } from './model/model-page.ts';
import type { Page } from './page.ts';
import { airlinePage } from './places/airline-page.ts';
import { airportPage } from './places/airport-page.ts';
import { airlinesPage, airportsPage } from './places/ranking-page.ts';
import { routePage } from './places/route-page.ts';
import { recordPage } from './record/record-page.ts';
import { startPage } from './start/start-page.ts';
import { statusPage } from './status/status-page.ts';
import { todayPage } from './today/today-page.ts';
import { tripPage } from './trips/trip-page.ts';

/** All pages for people. The data of a page come from its endpoint. */
export const PAGES = [
  startPage,
  flightPage,
  namedFlightPage,
  embedPage,
  comparePage,
  alternativesPage,
  tripPage,
  mapPage,
  airportsPage,
  airportPage,
  todayPage,
  airlinesPage,
  airlinePage,
  routePage,
  modelPage,
  recordPage,
  statusPage,
  coveragePage,
  dataPage,
  interfacePage,
] as readonly Page[];
