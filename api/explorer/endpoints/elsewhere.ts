import type { KnownFlight } from '../../scoring/flight-query.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import type { FlightData } from '../views/flight/flight-data.ts';
import { placeName } from './place-names.ts';
import { lateShare, totalsOf } from './records.ts';

/**
 * For a flight without a record, returns figures about related flights: those from its departure airport, those to its
 * arrival airport, and those of its airline. Each figure comes from the record with the most such flights.
 */
export function elsewhereOf(
  { query, airline }: KnownFlight,
  store: ScoreStore,
): FlightData['elsewhere'] {
  const { origin, dest, carrier } = query;
  const subjects: [string, (one: AirlineRoute) => boolean][] = [
    [`From ${placeName(origin, store)}`, (one) => one.origin === origin],
    [`To ${placeName(dest, store)}`, (one) => one.dest === dest],
    [airline.name, (one) => one.carrier === carrier],
  ];
  return subjects.flatMap(([name, isPart]) => {
    const records = [store, ...store.parts].map((record) => {
      const services = [...record.airlineRoutes()].filter(isPart);
      const totals = totalsOf(
        services.flatMap((one) => record.routeCarrier(one.origin, one.dest, one.carrier) ?? []),
      );
      return { provider: record.manifest.provider, totals };
    });
    const [most] = records.toSorted((a, b) => b.totals.completed - a.totals.completed);
    const share = most && lateShare(most.totals);
    if (!most || share === null || share === undefined) return [];
    const { provider, totals } = most;
    return [{ name, provider, flights: totals.completed, late_share: share }];
  });
}
