/** An airport, as the search uses it. */
export type Place = {
  iata: string;
  city: string;
  name: string;
  country: string;
  /** Departures on record. The search sorts equal matches by this number. */
  flights: number;
};

/** The suggestions of the form, as rows without field names, because this is the longest body that a browser gets. */
export type PlacesData = {
  /** Code, city, name, country and flights, busiest first. */
  airports: [string, string, string, string, number][];
  /** Code and name, in code order. */
  airlines: [string, string][];
};

/** Returns the airports that match the text, most likely first. Equal matches keep their order. */
export function searchPlaces(places: Iterable<Place>, typed: string, atMost = 8): Place[] {
  const words = normalizeText(typed).split(' ').filter(Boolean);
  if (words.length === 0) return [];
  const matches: { place: Place; rank: number }[] = [];
  for (const place of places) {
    const rank = rankOf(place, words);
    if (rank > 0) matches.push({ place, rank });
  }
  return matches
    .toSorted((a, b) => b.rank - a.rank || b.place.flights - a.place.flights)
    .slice(0, atMost)
    .map(({ place }) => place);
}

/**
 * Ranks how well a place matches, from 1 to 5; 0 means no match. Every word must start the code or a word of city, name
 * or country.
 */
function rankOf(place: Place, words: string[]): number {
  const typed = words.join(' ');
  const [iata, city] = [place.iata.toLowerCase(), normalizeText(place.city)];
  if (typed === iata) return 5;
  const all = [iata, city, normalizeText(place.name), normalizeText(place.country)]
    .join(' ')
    .split(' ');
  if (!words.every((word) => all.some((one) => one.startsWith(word)))) return 0;
  if (city === typed) return 4;
  if (city.startsWith(typed) || iata.startsWith(typed)) return 3;
  return words.some((word) => `${city} ${normalizeText(place.name)}`.includes(word)) ? 2 : 1;
}

/** Converts a text to lower case without accents or punctuation, with one space between words. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
