import { z } from 'zod';
import { readParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Choice, ChoicesData } from '../views/choice.ts';
import { airlineSearchOf } from './named-airline.ts';
import { suggestLegs } from './numbered-flight.ts';
import { placeSearchOf, placesOf, type Place } from './place-list.ts';

const searchParams = z.object({
  q: z.string().max(60, 'is too long').default(''),
  kind: z.enum(['airports', 'airlines'], 'must be airports or airlines').default('airports'),
});

const MAX_CHOICES = 8;

/** Suggestions for a text in the flight form. Without a text, these are the busiest airports. */
export const searchEndpoint: Endpoint = {
  path: '/explorer/search',
  restsOn: 'now',
  answer: async (query, { stores }): Promise<ChoicesData> => {
    const { q, kind } = readParams(query, searchParams);
    const store = currentStore(stores);
    if (kind === 'airlines') {
      const search = await airlineSearchOf(store);
      return {
        choices: search(q).map(({ iata, name, country }) => ({
          ...{ value: iata, code: iata, name },
          detail: country,
        })),
      };
    }
    const legs = suggestLegs(q, store);
    if (legs.length > 0) return { choices: legs };
    // Without a text, no search index is needed.
    if (q.trim() === '') return { choices: placesOf(store).slice(0, MAX_CHOICES).map(toChoice) };
    const search = await placeSearchOf(store);
    return { choices: search(q).map(({ airports: _, ...choice }): Choice => choice) };
  },
};

function toChoice({ iata, city, name, country }: Place): Choice {
  const detail = city === '' ? country : `${name}, ${country}`;
  return { value: iata, code: iata, name: city || name, detail };
}
