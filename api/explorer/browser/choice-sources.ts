import type { Choice, ChoicesData } from '../views/choice.ts';
import { fetchEndpoint } from './fetch-endpoint.ts';

let pending = new AbortController();

/**
 * Returns suggestions for the text in a field. Returns undefined if the text has changed meanwhile, or if the network
 * fails.
 */
export async function findChoices(field: HTMLInputElement): Promise<Choice[] | undefined> {
  pending.abort();
  const isUntouched = field.defaultValue === field.value;
  const typed = isUntouched ? '' : field.value.trim();
  const suggested = suggestedAirlines(field);
  if (suggested && typed === '') return suggested;
  pending = new AbortController();
  const kind = field.dataset['choices'] ?? '';
  try {
    const query = new URLSearchParams({ q: typed, kind });
    const outcome = await fetchEndpoint(`/explorer/search?${query}`, pending.signal, {
      isSaved: false,
    });
    if (!('data' in outcome)) return undefined;
    return suggestedFirst((outcome.data as ChoicesData).choices, suggested);
  } catch {
    // The visitor has typed more in the meantime.
    return undefined;
  }
}

/** Returns the airlines of the route with their scores. Returns undefined if the field is for an airport. */
function suggestedAirlines(field: HTMLInputElement): Choice[] | undefined {
  if (field.dataset['choices'] !== 'airlines') return undefined;
  const airlines = JSON.parse(field.dataset['first'] ?? '[]') as [string, string, number][];
  return airlines.map(([value, name, score]) => ({
    ...{ value, code: value, name },
    detail: `score ${score}`,
  }));
}

function suggestedFirst(found: Choice[], suggested: Choice[] = []): Choice[] {
  const codes = new Set(found.map(({ value }) => value));
  const first = suggested.filter(({ value }) => codes.has(value));
  return [...first, ...found.filter((one) => first.every(({ value }) => value !== one.value))];
}
