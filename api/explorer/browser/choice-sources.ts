import { searchPlaces, normalizeText, type Place, type PlacesData } from '../views/places.ts';
import { fetchEndpoint } from './fetch-endpoint.ts';

/** A suggestion: the value for the field, and the texts to show. */
export type Choice = { value: string; name: string; detail: string };

const MAX_CHOICES = 8;
/** Pause in typing after which a search starts. */
const TYPING_PAUSE_MS = 250;

let places: Promise<{ airports: Place[]; airlines: Choice[] }> | undefined;

/** Returns the suggestions for the current text of a field. */
export async function findChoices(field: HTMLInputElement): Promise<Choice[]> {
  const typed = field.value.trim();
  if (field.dataset['choices'] === 'airlines') return searchAirlines(field, typed);
  const { airports } = await loadPlaces();
  const isUntouched = typed.length === 0 || field.defaultValue === field.value;
  if (isUntouched) return airports.slice(0, MAX_CHOICES).map(toChoice);
  const matches = searchPlaces(airports, typed, MAX_CHOICES);
  if (matches.length > 0 || typed.length < 3) return matches.map(toChoice);
  return (await searchAllAirports(field, typed)).map(toChoice);
}

/** Searches all airports on the server. Used only if the text matches no airport with flights on record. */
async function searchAllAirports(field: HTMLInputElement, typed: string): Promise<Place[]> {
  await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE_MS));
  if (field.value.trim() !== typed) return [];
  const outcome = await fetchEndpoint(
    `/explorer/search?${new URLSearchParams({ q: typed })}`,
    new AbortController().signal,
  );
  return 'data' in outcome ? (outcome.data as { airports: Place[] }).airports : [];
}

async function searchAirlines(field: HTMLInputElement, typed: string): Promise<Choice[]> {
  const suggestions = JSON.parse(field.dataset['first'] ?? '[]') as [string, string, number][];
  const suggested = suggestions.map(([value, name, score]) => ({
    value,
    name,
    detail: `score ${score}`,
  }));
  if (typed.length === 0 || field.defaultValue === field.value) return suggested;
  const { airlines } = await loadPlaces();
  const codes = new Set(suggested.map(({ value }) => value));
  const all = [...suggested, ...airlines.filter(({ value }) => !codes.has(value))];
  const text = normalizeText(typed);
  const isMatch = ({ value, name }: Choice) =>
    value.toLowerCase() === text ||
    normalizeText(name)
      .split(' ')
      .some((word) => word.startsWith(text)) ||
    normalizeText(name).startsWith(text);
  return all.filter(isMatch).slice(0, MAX_CHOICES);
}

function toChoice({ iata, city, name, country }: Place): Choice {
  return { value: iata, name: city || name, detail: city ? `${name}, ${country}` : country };
}

/** Fetches airports and airlines when a field is first used. A failed request is repeated on the next use. */
async function loadPlaces() {
  places ??= fetchEndpoint('/explorer/places', new AbortController().signal).then((outcome) => {
    if (!('data' in outcome)) {
      places = undefined;
      return { airports: [], airlines: [] };
    }
    const data = outcome.data as PlacesData;
    return {
      airports: data.airports.map(([iata, city, name, country, flights]) => ({
        iata,
        city,
        name,
        country,
        flights,
      })),
      airlines: data.airlines.map(([value, name]) => ({ value, name, detail: '' })),
    };
  });
  return places;
}
