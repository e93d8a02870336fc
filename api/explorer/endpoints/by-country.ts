import { sum } from '../../../warehouse/ground/numbers.ts';
import { memoizeFor } from '../../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { airlineAddress, airportAddress } from '../views/places/addresses.ts';
import { placesOf } from './place-list.ts';
import { servicesOf } from './services.ts';

/** Returns the ISO 3166 codes of countries by name. */
const countryCodesOf: (store: ScoreStore) => ReadonlyMap<string, string> = memoizeFor(
  (store) =>
    new Map([...store.airports()].map(({ country, countryCode }) => [country, countryCode])),
);

/** An airport or airline with flights in a record. */
export type ListedItem = { code: string; name: string; address: string };

/** The airports or airlines of a country, busiest first. `country_code` is null if unknown. */
type Country = { country: string; country_code: string | null; items: ListedItem[] };

type Located = ListedItem & { country: string; flights: number };

/** Lists the airports with departures in any record, by country. */
export const airportsByCountry: (store: ScoreStore) => Country[] = memoizeFor((store) => {
  const airports = placesOf(store)
    .filter(({ flights }) => flights > 0)
    .map(({ iata, city, name, country, flights }) => ({
      ...{ country, flights, code: iata },
      name: `${city || name} ${iata}`,
      address: airportAddress(iata),
    }));
  return groupByCountry(airports, store);
});

/** Lists the airlines of all records, by country. */
export const airlinesByCountry: (store: ScoreStore) => Country[] = memoizeFor((store) => {
  const airlines = new Map<string, Located>();
  for (const record of [store, ...store.parts]) {
    for (const [code, routes] of servicesOf(record).byAirline) {
      const { name = code, country = '' } = record.airline(code) ?? {};
      const own = routes.map(
        ({ origin, dest }) => record.routeCarrier(origin, dest, code)?.flightCount ?? 0,
      );
      const flights = sum(own) + (airlines.get(code)?.flights ?? 0);
      airlines.set(code, { code, name, country, flights, address: airlineAddress(code) });
    }
  }
  return groupByCountry([...airlines.values()], store);
});

/** Groups by country, in the order of names. The items of a country are sorted by flights. */
function groupByCountry(all: readonly Located[], store: ScoreStore): Country[] {
  const named = all.filter(({ country }) => country !== '');
  return [...Map.groupBy(named, ({ country }) => country)]
    .map(([country, own]) => ({
      country,
      country_code: countryCodesOf(store).get(country) ?? null,
      items: own
        .toSorted((a, b) => b.flights - a.flights || (a.code < b.code ? -1 : 1))
        .map(({ code, name, address }) => ({ code, name, address })),
    }))
    .toSorted((a, b) => (a.country < b.country ? -1 : 1));
}
