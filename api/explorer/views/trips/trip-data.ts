import type { ItineraryBody } from '../../../schemas/itinerary.ts';
import { flightText } from '../compare/compare-data.ts';
import type { Flight } from '../flight/address.ts';

/** The settings of a trip, as parameters of `/api/itinerary`. */
export type TripSettings = { tickets: 'one' | 'separate'; mct: number | null };

/** The data of the page of a trip. */
export type TripData = {
  settings: TripSettings;
  /** Legs in the API call behind the answer. Empty until a visitor enters flights. */
  legs: string[];
  /** Answer of `/api/itinerary`; null until a visitor enters flights. */
  answer: ItineraryBody | null;
  /**
   * For each flight of the answer, its own probability of being late or cancelled. The other flights of the trip do not
   * affect this probability. Null without a record.
   */
  shares: (number | null)[];
  /** Cities by airport code. */
  cities: Record<string, string>;
};

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
