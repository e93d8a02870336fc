import { statsOf } from '../../../models/brands.ts';
import { endOfAirline } from '../../../models/current-airlines.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { RequestError } from '../../errors.ts';
import type { ComparedItem, CountryFigures, RankingData } from '../views/places/places-data.ts';
import { airlinesByCountry, airportsByCountry, type ListedItem } from './by-country.ts';
import { lateShare, totalsOf } from './records.ts';
import { largestRecord, servicesOf } from './services.ts';
import { servicesBy } from './sold.ts';
import { usualRisk } from './usual.ts';

/** The functions that list and compare one kind of item: airports or airlines. */
export type Subject = {
  group: 'byOrigin' | 'byAirline';
  countriesOf: (store: ScoreStore) => ReturnType<typeof airportsByCountry>;
  servicesOf: (code: string, record: ScoreStore) => readonly Service[];
  /** Whether the airline-route still exists. The expected risk ignores airline-routes that no longer exist. */
  isFlown: (service: Service, record: ScoreStore) => boolean;
  /** All items of a record with their comparison, least late first. */
  ratedIn: (record: ScoreStore) => Promise<ComparedItem[]>;
};

export const AIRPORTS: Omit<Subject, 'ratedIn'> = {
  group: 'byOrigin',
  countriesOf: airportsByCountry,
  servicesOf: (code, record) => servicesOf(record).byOrigin.get(code) ?? [],
  isFlown: () => true,
};

export const AIRLINES: Omit<Subject, 'ratedIn'> = {
  group: 'byAirline',
  countriesOf: airlinesByCountry,
  servicesOf: servicesBy,
  isFlown: ({ carrier }, record) => endOfAirline(carrier, record) === undefined,
};

type CountryRanking = Pick<RankingData, 'country' | 'figures' | 'rated' | 'span' | 'busiest'>;

/**
 * Compares the airports or airlines of one country. The figures of an item come from the record with most of its
 * flights, as on the item's own page. Each item is compared with similar flights of the same record.
 */
export async function rankCountry(
  subject: Subject,
  countryCode: string,
  store: ScoreStore,
): Promise<CountryRanking> {
  const found = subject.countriesOf(store).find((one) => one.country_code === countryCode);
  if (!found) {
    const text = `No flights of the country ${countryCode} are on record. /airports and /airlines list the countries.`;
    throw new RequestError(404, 'not_found', text, { param: 'country' });
  }
  const located = found.items.map((item) => {
    const record = largestRecord(subject.group, item.code, store);
    return { item, record, services: subject.servicesOf(item.code, record) };
  });
  const ratings = new Map<string, ComparedItem>();
  for (const [record, own] of Map.groupBy(located, (one) => one.record)) {
    const codes = new Set(own.map(({ item }) => item.code));
    const rated = (await subject.ratedIn(record)).filter(({ code }) => codes.has(code));
    for (const one of rated) ratings.set(one.code, one);
  }
  const figures = await Array.fromAsync(located, async ({ item, record, services }) => {
    const flown = services.filter((one) => subject.isFlown(one, record));
    return figuresOf(item, { record, services, flown, rating: ratings.get(item.code) });
  });
  const months = [...new Set(located.flatMap(({ record }) => record.manifest.months))].toSorted();
  const span = { first: months[0] ?? '', last: months.at(-1) ?? '', months: months.length };
  return {
    country: { code: countryCode, name: found.country },
    figures,
    rated: [...ratings.values()].toSorted((a, b) => a.ratio - b.ratio),
    span,
    busiest: busiestRoute(located[0]),
  };
}

type Parts = {
  record: ScoreStore;
  services: readonly Service[];
  flown: readonly Service[];
  rating: ComparedItem | undefined;
};

async function figuresOf(
  { code, name, address }: ListedItem,
  { record, services, flown, rating }: Parts,
): Promise<CountryFigures> {
  const totals = totalsOf(services.flatMap((one) => statsOf(one, record) ?? []));
  return {
    ...{ code, name, address },
    flights: totals.flights,
    late_share: lateShare(totals),
    usual: await usualRisk(flown, record),
    compared: rating ? { ratio: rating.ratio, low: rating.low, high: rating.high } : null,
  };
}

/** Returns the busiest route of the country's busiest airport or airline. */
function busiestRoute(
  first: Pick<Parts, 'record' | 'services'> | undefined,
): RankingData['busiest'] {
  if (!first) return null;
  const { record, services } = first;
  const [busiest] = services
    .map(({ origin, dest }) => ({ origin, dest }))
    .toSorted((a, b) => flightsOn(b, record) - flightsOn(a, record));
  return busiest ?? null;
}

function flightsOn({ origin, dest }: { origin: string; dest: string }, record: ScoreStore): number {
  return record.route(origin, dest)?.flightCount ?? 0;
}
