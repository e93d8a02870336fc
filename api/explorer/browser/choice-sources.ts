import { placesLike, plain, type Place, type PlacesData } from '../views/places.ts';
import { ask } from './ask.ts';

/** Something to choose: what the field becomes, and what is read. */
export type Choice = { value: string; name: string; detail: string };

const SHOWN = 8;
/** Who types on is not asked for. */
const PAUSE_MS = 250;

let places: Promise<{ airports: Place[]; airlines: Choice[] }> | undefined;

/** What fits a field as it is now. */
export async function choicesFor(field: HTMLInputElement): Promise<Choice[]> {
  const typed = field.value.trim();
  if (field.dataset['choices'] === 'airlines') return airlinesLike(field, typed);
  const { airports } = await known();
  const isUntouched = typed.length === 0 || field.defaultValue === field.value;
  if (isUntouched) return airports.slice(0, SHOWN).map(choiceOf);
  const near = placesLike(airports, typed, SHOWN);
  if (near.length > 0 || typed.length < 3) return near.map(choiceOf);
  return (await elsewhere(field, typed)).map(choiceOf);
}

/** Airports without flights in the history; asked for only when nothing nearer fits. */
async function elsewhere(field: HTMLInputElement, typed: string): Promise<Place[]> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  if (field.value.trim() !== typed) return [];
  const outcome = await ask(
    `/explorer/search?${new URLSearchParams({ q: typed })}`,
    new AbortController().signal,
  );
  return 'data' in outcome ? (outcome.data as { airports: Place[] }).airports : [];
}

async function airlinesLike(field: HTMLInputElement, typed: string): Promise<Choice[]> {
  const given = JSON.parse(field.dataset['first'] ?? '[]') as [string, string, number][];
  const first = given.map(([value, name, score]) => ({ value, name, detail: `score ${score}` }));
  if (typed.length === 0 || field.defaultValue === field.value) return first;
  const { airlines } = await known();
  const codes = new Set(first.map(({ value }) => value));
  const all = [...first, ...airlines.filter(({ value }) => !codes.has(value))];
  const words = plain(typed);
  const fits = ({ value, name }: Choice) =>
    value.toLowerCase() === words ||
    plain(name)
      .split(' ')
      .some((word) => word.startsWith(words)) ||
    plain(name).startsWith(words);
  return all.filter(fits).slice(0, SHOWN);
}

function choiceOf({ iata, city, name, country }: Place): Choice {
  return { value: iata, name: city || name, detail: city ? `${name}, ${country}` : country };
}

/** Fetched when a field is first used; what could not be had is asked for again. */
async function known() {
  places ??= ask('/explorer/places', new AbortController().signal).then((outcome) => {
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
