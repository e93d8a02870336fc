import { z } from 'zod';
import { endOfAirline } from '../../../models/current-airlines.ts';
import { loadOnceFor } from '../../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { readParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import { airlineAddress, airportAddress } from '../views/places/addresses.ts';
import type { ComparedItem, RankingData } from '../views/places/places-data.ts';
import { busiestServices } from './busiest.ts';
import { AIRLINES, AIRPORTS, rankCountry, type Subject } from './country-ranking.ts';
import { listComparisons, type CodedComparison } from './comparisons.ts';
import { inferredIn, sellerBodies, servicesBy, soldComparisons } from './sold.ts';
import { sellersOf } from '../../../models/sellers.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import { airlineName, placeName } from '../../presenters/names.ts';
import { servicesOf } from './services.ts';
import { spanOf } from './place-names.ts';
import { usualRisk } from './usual.ts';

const rankingParams = z.object({
  of: z.enum(['airlines', 'airports'], 'must be airlines or airports'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a code of two letters, such as HK')
    .transform((code) => code.toUpperCase())
    .optional(),
});

/** Data of the rankings: all airlines or all airports, compared with similar flights; least late first. */
export const rankingEndpoint: Endpoint = {
  path: '/explorer/ranking',
  restsOn: 'store',
  params: rankingParams,
  answer: async (query, { stores }): Promise<RankingData> => {
    const { of: name, country } = readParams(query, rankingParams);
    const store = currentStore(stores);
    const subject = SUBJECTS[name];
    const shared = { of: name, countries: countCountries(subject, store) };
    if (country !== undefined) {
      return { ...shared, operators: [], ...(await rankCountry(subject, country, store)) };
    }
    const [first] = await busiestServices(store);
    return {
      ...shared,
      country: null,
      figures: [],
      span: spanOf(store),
      rated: await subject.ratedIn(store),
      operators: name === 'airlines' ? partnersOf(store) : [],
      busiest: first ? { origin: first.origin, dest: first.dest } : null,
    };
  },
};

/** Lists the countries that can be compared. */
function countCountries({ countriesOf }: Subject, store: ScoreStore): RankingData['countries'] {
  return countriesOf(store).flatMap(({ country, country_code: code, items }) =>
    code === null ? [] : [{ code, name: country, items: items.length }],
  );
}

/**
 * Lists the airlines that still exist and operate flights for other airlines. Each comes with the airlines that sell
 * its flights.
 */
function partnersOf(store: ScoreStore): RankingData['operators'] {
  return [...servicesOf(store).byAirline.keys()]
    .filter((code) => sellersOf(code, store).length > 0 && !endOfAirline(code, store))
    .map((code) => ({ code, name: airlineName(code, store), sellers: sellerBodies(code, store) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Compares each airline that sells flights with other airlines on the same routes. The result is computed only once per
 * store, because every airline's page needs it.
 */
export const ratedAirlines: (store: ScoreStore) => Promise<ComparedItem[]> =
  loadOnceFor(rateAirlines);

function rateAirlines(store: ScoreStore): Promise<ComparedItem[]> {
  const all = soldComparisons('carrier', {}, store).filter(
    ({ codes: { carrier } }) => endOfAirline(carrier, store) === undefined,
  );
  return Array.fromAsync(all, (one) =>
    ratedAirline(one, servicesBy(one.codes.carrier, store), store),
  );
}

/** Returns an airline as an item of a comparison list, with the expected risk of its services. */
export async function ratedAirline(
  { codes: { carrier }, compared }: CodedComparison,
  services: Service[],
  store: ScoreStore,
): Promise<ComparedItem> {
  return {
    ...compared,
    code: carrier,
    name: airlineName(carrier, store),
    address: airlineAddress(carrier),
    inferred: inferredIn(services, store),
    usual: await usualRisk(services, store),
  };
}

/**
 * Compares each departure airport with other airports. Only flights of the same airlines to the same destinations are
 * compared.
 */
const ratedAirports: (store: ScoreStore) => Promise<ComparedItem[]> = loadOnceFor(rateAirports);

function rateAirports(store: ScoreStore): Promise<ComparedItem[]> {
  const all = listComparisons('origin', {}, store);
  return Array.fromAsync(all, async ({ codes: { origin }, compared }) => ({
    ...compared,
    code: origin,
    name: placeName(origin, store),
    address: airportAddress(origin),
    usual: await usualRisk(servicesOf(store).byOrigin.get(origin) ?? [], store),
  }));
}

const SUBJECTS: Record<RankingData['of'], Subject> = {
  airlines: { ...AIRLINES, ratedIn: ratedAirlines },
  airports: { ...AIRPORTS, ratedIn: ratedAirports },
};
