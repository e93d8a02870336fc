import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import type { PlacesData } from '../views/places.ts';
import { placesOf } from './place-list.ts';

/** The suggestions of the flight form: airports with flights on record, busiest first, and all airlines. */
export const placesEndpoint: Endpoint = {
  path: '/explorer/places',
  restsOn: 'store',
  answer: (_query, { stores }): PlacesData => {
    const store = currentStore(stores);
    const flown = placesOf(store).filter(({ flights }) => flights > 0);
    return {
      airports: flown.map(({ iata, city, name, country, flights }) => [
        iata,
        city,
        name,
        country,
        flights,
      ]),
      airlines: [...store.airlines()].map(({ iata, name }) => [iata, name]),
    };
  },
};
