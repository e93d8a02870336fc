import type { ScoreStore } from '../../warehouse/store/types.ts';

/** Formats `New York JFK`. */
export function placeName(iata: string, store: ScoreStore): string {
  const airport = store.airport(iata);
  return airport ? `${airport.city || airport.name} ${iata}` : iata;
}

/** Returns the name of an airline. If the list of airlines lacks the code, returns the code. */
export function airlineName(carrier: string, store: ScoreStore): string {
  return store.airline(carrier)?.name ?? carrier;
}
