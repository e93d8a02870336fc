import { routeAirlines } from '../../../models/current-airlines.ts';
import { distanceKm } from '../../../warehouse/ground/distance.ts';
import { round } from '../../../warehouse/ground/round.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import { readParams, routeParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import { resolveRoute } from '../../scoring/flight-query.ts';
import type { Endpoint } from '../endpoint.ts';
import type { RouteData } from '../views/places/places-data.ts';
import { comparisonOf } from './comparisons.ts';
import { slotCounts, lateShare, recordEnds, totalsOf } from './records.ts';
import { servicesOf } from './services.ts';
import { airportName } from './place-names.ts';
import { MONTHS, riskGrid, usualRisk, WEEKDAYS } from './usual.ts';

/** Data of the page of a route: its record by month and hour, its usual risk, and its airlines. */
export const routeEndpoint: Endpoint = {
  path: '/explorer/route',
  restsOn: 'store',
  params: routeParams,
  answer: async (query, { stores }): Promise<RouteData> => {
    const params = readParams(query, routeParams);
    const { origin, dest } = resolveRoute(params, currentStore(stores));
    const store = currentStore(stores).forRoute(origin.iata, dest.iata);
    const [from, to] = [origin.iata, dest.iata];
    const services = (servicesOf(store).byOrigin.get(from) ?? []).filter((one) => one.dest === to);
    const cells = store.recordCells('route', from + to);
    const whole = store.route(from, to);
    const record = totalsOf(whole ? [whole] : []);
    return {
      origin: airportName(origin),
      dest: airportName(dest),
      distance_km: Math.round(distanceKm(origin, dest)),
      record_ends: recordEnds(services, store),
      record,
      late_share: lateShare(record),
      network_share: round(store.network.delayedRate, 4),
      usual: await usualRisk(services, store),
      by_month: slotCounts(cells, 0, 12),
      by_hour: slotCounts(cells, 12, 24),
      usual_by_weekday: await riskGrid(services, WEEKDAYS, store),
      usual_by_month: await riskGrid(services, MONTHS, store),
      compared: comparisonOf('route', from + to, store),
      airlines: await airlinesOn(services, { origin: from, dest: to }, store),
      has_return: store.route(to, from) !== undefined,
    };
  },
};

/** Lists the airlines of the route, most flights first. */
async function airlinesOn(
  services: AirlineRoute[],
  route: { origin: string; dest: string },
  store: ScoreStore,
): Promise<RouteData['airlines']> {
  const current = new Set(
    routeAirlines(route.origin, route.dest, store).flatMap(({ carrier, isCurrent }) =>
      isCurrent ? [carrier] : [],
    ),
  );
  const airlines = await Array.fromAsync(services, async (one) => {
    const { origin, dest, carrier } = one;
    const stats = store.routeCarrier(origin, dest, carrier);
    const months = store.recordMonths(origin, dest, carrier);
    if (!stats || !months) return [];
    return [
      {
        iata: carrier,
        name: store.airline(carrier)?.name ?? carrier,
        record: totalsOf([stats]),
        usual: current.has(carrier) ? await usualRisk([one], store) : null,
        is_current: current.has(carrier),
        compared: comparisonOf('route_carrier', origin + dest + carrier, store),
        ...months,
      },
    ];
  });
  return airlines
    .flat()
    .toSorted((a, b) => b.record.flights - a.record.flights || (a.iata < b.iata ? -1 : 1));
}
