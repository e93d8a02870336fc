import { flightPage, namedFlightPage } from './flight/flight-page.ts';
import type { Page } from './page.ts';
import { startPage } from './start/start-page.ts';
import { statusPage } from './status/status-page.ts';

/** Every page of the explorer; the data of each are what its endpoint answers. */
export const PAGES = [startPage, flightPage, namedFlightPage, statusPage] as readonly Page[];
