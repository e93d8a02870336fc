import type { ItineraryBody } from '../../../schemas/itinerary.ts';

/** The settings of a trip, as parameters of `/api/itinerary`. */
export type TripSettings = { tickets: 'one' | 'separate'; mct: number | null };

/** The data of the page of a trip. */
export type TripData = {
  settings: TripSettings;
  /** The parameter `legs` of the call behind the answer; empty before a visitor enters flights. */
  legs: string[];
  /** The answer of `/api/itinerary`; null before a visitor enters flights. */
  answer: ItineraryBody | null;
  /** Cities by airport code. */
  cities: Record<string, string>;
};
