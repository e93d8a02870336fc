import type { InferredBody } from '../brands-data.ts';
import type { ItineraryBody } from '../../../schemas/itinerary.ts';

/** The settings of a trip, as parameters of `/api/itinerary`. */
export type TripSettings = { tickets: 'one' | 'separate'; mct: number | null };

/** The data of the page of a trip. */
export type TripData = {
  settings: TripSettings;
  /** Legs in the API call behind the answer. Empty until a visitor enters flights. */
  legs: string[];
  /** Answer of `/api/itinerary`; null until a visitor enters flights. */
  answer: ItineraryBody | null;
  /** Cities by airport code. */
  cities: Record<string, string>;
  /** How much of the record of each flight is inferred, by `serviceKey`. */
  inferred: Record<string, InferredBody>;
};
