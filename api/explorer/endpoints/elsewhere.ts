import type { KnownFlight } from '../../scoring/flight-query.ts';
import { statsOf } from '../../../models/brands.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { FlightData } from '../views/flight/flight-data.ts';
import { placeName } from '../../presenters/names.ts';
import { providerFacts } from '../../presenters/provider-facts.ts';
import { lateShare, totalsOf } from './records.ts';
import { servicesOf } from './services.ts';
import { servicesBy } from './sold.ts';

/**
 * Returns the country of both airports if one record covers this country; otherwise null. The record must contain
 * flights from both airports, and these flights must have more than one destination. If all of them go to one airport,
 * the provider may record only the flights of that airport.
 */
export function coveringCountry(
  { origin, dest }: Pick<KnownFlight, 'origin' | 'dest'>,
  store: ScoreStore,
): string | null {
  const { country, countryCode } = origin;
  if (dest.countryCode !== countryCode) return null;
  const isCovered = [store, ...store.parts].some((record) => {
    if (!providerFacts(record).countries.includes(countryCode)) return false;
    const { byOrigin } = servicesOf(record);
    const services = [origin, dest].map(({ iata }) => byOrigin.get(iata) ?? []);
    const reached = new Set(services.flat().map((one) => one.dest));
    return services.every(({ length }) => length > 0) && reached.size > 1;
  });
  return isCovered ? country : null;
}

/**
 * For a flight without a record, returns figures about three groups of flights: from its departure airport, to its
 * arrival airport, and of its airline. The figures of a group come from the record that contains the most flights of
 * the group.
 */
export function elsewhereOf(
  { query, airline }: KnownFlight,
  store: ScoreStore,
): FlightData['elsewhere'] {
  const { origin, dest, carrier } = query;
  const subjects: [string, (record: ScoreStore) => readonly Service[]][] = [
    [`From ${placeName(origin, store)}`, (record) => servicesOf(record).byOrigin.get(origin) ?? []],
    [`To ${placeName(dest, store)}`, (record) => servicesOf(record).byDest.get(dest) ?? []],
    [airline.name, (record) => servicesBy(carrier, record)],
  ];
  return subjects.flatMap(([name, servicesIn]) => {
    const records = [store, ...store.parts].map((record) => {
      const totals = totalsOf(servicesIn(record).flatMap((one) => statsOf(one, record) ?? []));
      return { record, totals };
    });
    const [most] = records.toSorted((a, b) => b.totals.completed - a.totals.completed);
    const share = most && lateShare(most.totals);
    if (!most || share === null || share === undefined) return [];
    const { record, totals } = most;
    const { provider } = record.manifest;
    const source = providerFacts(record).title;
    return [{ name, provider, source, flights: totals.completed, late_share: share }];
  });
}
