import { soldAirlines } from '../../../models/sold-airlines.ts';
import { distanceKm } from '../../../warehouse/ground/distance.ts';
import { round } from '../../../warehouse/ground/numbers.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { readParams, routeParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import { resolveRoute } from '../../scoring/flight-query.ts';
import type { Endpoint } from '../endpoint.ts';
import type { RouteData } from '../views/places/places-data.ts';
import { comparisonOf } from './comparisons.ts';
import { inferredBody, operatorsOn } from './sold.ts';
import { airlineName } from '../../presenters/names.ts';
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
      airlines: await airlinesOn({ origin: from, dest: to }, store),
      has_return: store.route(to, from) !== undefined,
    };
  },
};

/** Lists the airlines that sell flights on the route, most flights first. */
async function airlinesOn(
  route: { origin: string; dest: string },
  store: ScoreStore,
): Promise<RouteData['airlines']> {
  const { origin, dest } = route;
  const airlines = await Array.fromAsync(soldAirlines(origin, dest, store), async (one) => {
    const { carrier, record, isCurrent, brand } = one;
    if (!record) return [];
    const service = { ...route, carrier, ...(brand && { isBrand: true as const }) };
    const kind = brand ? 'route_brand' : 'route_carrier';
    return [
      {
        iata: carrier,
        name: airlineName(carrier, store),
        record: totalsOf([one]),
        usual: isCurrent ? await usualRisk([service], store) : null,
        is_current: isCurrent,
        compared: comparisonOf(kind, origin + dest + carrier, store),
        operators: operatorsOn(service, store),
        inferred: brand ? inferredBody(brand) : null,
        ...record,
      },
    ];
  });
  return airlines
    .flat()
    .toSorted((a, b) => b.record.flights - a.record.flights || (a.iata < b.iata ? -1 : 1));
}
