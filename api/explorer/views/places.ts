/** An airport as people look for it. */
export type Place = {
  iata: string;
  city: string;
  name: string;
  country: string;
  /** Flights of the history that leave it; who types little means the busiest. */
  flights: number;
};

/** What forms offer, as rows without names: it is the longest thing a browser is sent. */
export type PlacesData = {
  /** Code, city, name, country and flights, the busiest first. */
  airports: [string, string, string, string, number][];
  /** Code and name, in the order of codes. */
  airlines: [string, string][];
};

/** The airports that fit what was typed, in the order in which they are likely meant; of equal ones as given. */
export function placesLike(places: Iterable<Place>, typed: string, atMost = 8): Place[] {
  const words = plain(typed).split(' ').filter(Boolean);
  if (words.length === 0) return [];
  const fitting: { place: Place; rank: number }[] = [];
  for (const place of places) {
    const rank = rankOf(place, words);
    if (rank > 0) fitting.push({ place, rank });
  }
  return fitting
    .toSorted((a, b) => b.rank - a.rank || b.place.flights - a.place.flights)
    .slice(0, atMost)
    .map(({ place }) => place);
}

/** 0: does not fit. Every word must begin the code or a word of city, name or country. */
function rankOf(place: Place, words: string[]): number {
  const typed = words.join(' ');
  const [iata, city] = [place.iata.toLowerCase(), plain(place.city)];
  if (typed === iata) return 5;
  const all = [iata, city, plain(place.name), plain(place.country)].join(' ').split(' ');
  if (!words.every((word) => all.some((one) => one.startsWith(word)))) return 0;
  if (city === typed) return 4;
  if (city.startsWith(typed) || iata.startsWith(typed)) return 3;
  return words.some((word) => `${city} ${plain(place.name)}`.includes(word)) ? 2 : 1;
}

/** Small letters without accents, words apart by one blank. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
