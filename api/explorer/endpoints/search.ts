import { z } from 'zod';
import { readParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import { searchPlaces, type Place } from '../views/places.ts';
import { placesOf } from './place-list.ts';

const searchParams = z.object({ q: z.string().max(60, 'is too long') });

/** Searches all airports by code, city, name or country, including airports without flights on record. */
export const searchEndpoint: Endpoint = {
  path: '/explorer/search',
  restsOn: 'now',
  answer: (query, { stores }): { airports: Place[] } => {
    const { q } = readParams(query, searchParams);
    return { airports: searchPlaces(placesOf(currentStore(stores)), q) };
  },
};
