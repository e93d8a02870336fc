import { flightText } from '../compare/address.ts';
import type { Flight } from '../flight/address.ts';
import type { TripData } from './trip-data.ts';

/** Returns the query of a trip, for the page and for `/api/itinerary`. */
export function tripQuery({ legs, settings }: Pick<TripData, 'legs' | 'settings'>): string {
  if (legs.length === 0) return '';
  const { tickets, mct } = settings;
  return `?legs=${legs.join(',')}${tickets === 'one' ? '' : `&tickets=${tickets}`}${mct === null ? '' : `&mct=${mct}`}`;
}

/** Returns the address of a trip that begins with this flight. */
export function tripFromAddress(flight: Flight): string {
  return `/trips?legs=${flightText(flight)}`;
}
