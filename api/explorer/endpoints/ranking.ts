import { z } from 'zod';
import { loadOnceFor } from '../../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { readParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import { airlineAddress, airportAddress } from '../views/places/addresses.ts';
import type { Rated, RankingData } from '../views/places/places-data.ts';
import { busiestServices } from './busiest.ts';
import { comparedAmong } from './compared.ts';
import { servicesOf } from './services.ts';
import { placeName, spanOf } from './place-names.ts';
import { usualRisk } from './usual.ts';

const rankingQuestion = z.object({
  of: z.enum(['airlines', 'airports'], 'must be airlines or airports'),
});

/** Every airline, or every airport, against its like, the least late first. */
export const rankingEndpoint: Endpoint = {
  path: '/explorer/ranking',
  restsOn: 'store',
  question: rankingQuestion,
  answer: async (query, { stores }): Promise<RankingData> => {
    const { of } = readParams(query, rankingQuestion);
    const store = currentStore(stores);
    const rated = of === 'airlines' ? await ratedAirlines(store) : await ratedAirports(store);
    const [first] = await busiestServices(store);
    const busiest = first ? { origin: first.origin, dest: first.dest } : null;
    return { of, span: spanOf(store), rated, busiest };
  },
};

/** Airlines against the others on their routes; computed once for a store, as the page of every airline has them. */
export const ratedAirlines: (store: ScoreStore) => Promise<Rated[]> = loadOnceFor(rateAirlines);

function rateAirlines(store: ScoreStore): Promise<Rated[]> {
  const all = comparedAmong('carrier', {}, store);
  return Array.fromAsync(all, async ({ codes: { carrier }, compared }) => ({
    ...compared,
    code: carrier,
    name: store.airline(carrier)?.name ?? carrier,
    address: airlineAddress(carrier),
    usual: await usualRisk(servicesOf(store).of.get(carrier) ?? [], store),
  }));
}

/** Airports of departure against others from which the same airlines fly to the same airports. */
function ratedAirports(store: ScoreStore): Promise<Rated[]> {
  const all = comparedAmong('origin', {}, store);
  return Array.fromAsync(all, async ({ codes: { origin }, compared }) => ({
    ...compared,
    code: origin,
    name: placeName(origin, store),
    address: airportAddress(origin),
    usual: await usualRisk(servicesOf(store).from.get(origin) ?? [], store),
  }));
}
