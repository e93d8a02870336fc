import type { ScoreStore } from '../../warehouse/store/types.ts';

/** Formats `New York JFK`. */
export function placeName(iata: string, store: ScoreStore): string {
  const airport = store.airport(iata);
  return airport ? `${airport.city || airport.name} ${iata}` : iata;
}
