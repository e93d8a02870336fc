import { Router } from '@koa/router';
import { round } from '../../warehouse/ground/numbers.ts';
import { soldAirlines, type SoldAirline } from '../../models/sold-airlines.ts';
import type { FlightQuery } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { assessNow } from '../scoring/assess.ts';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ScoringDeps } from '../deps.ts';
import { airlineName } from '../presenters/names.ts';
import { operatorsBodyOf } from '../presenters/operators-body.ts';
import { resolveRoute, type KnownRoute } from '../scoring/flight-query.ts';
import { localDay } from '../local-day.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import {
  airlinesParams,
  type AirlineEntry,
  type AirlinesBody,
  type FormerAirline,
} from '../schemas/airlines.ts';
import { readCallParams } from '../schemas/params.ts';
import { ratio } from '../presenters/score-body.ts';

type AirlinesQuery = KnownRoute & {
  store: ScoreStore;
  withRecord: boolean;
  withFormer: boolean;
  withOperators: boolean;
};

/** `GET /api/airlines`: the airlines that sell flights on a route, each scored for a departure today. */
export function airlinesRoutes(deps: ScoringDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<AirlinesQuery>(
    {
      usageLabel: '/api/airlines',
      isCacheable: true,
      isCompressible: true,
      isCostly: true,
      parse: (ctx) => {
        const params = readCallParams(ctx, airlinesParams);
        const store = currentStore(deps.stores).forRoute(params.origin, params.dest);
        const has = (part: 'record' | 'former' | 'operators') =>
          params.include?.includes(part) ?? false;
        const parts = { withRecord: has('record'), withFormer: has('former') };
        const withOperators = has('operators');
        return { store, ...parts, withOperators, ...resolveRoute(params, store) };
      },
      cost: () => 1,
      storeOf: ({ store }) => store,
      answer: (query): AirlinesBody => {
        const { store, origin, dest, withFormer } = query;
        const today = localDay(origin.timeZone, deps.now()).date;
        const all = soldAirlines(origin.iata, dest.iata, store);
        const airlines = all
          .filter(({ isCurrent }) => isCurrent)
          .map((stats) => entryOf(stats, query, today, deps))
          .toSorted((a, b) => a.score - b.score || (a.airline < b.airline ? -1 : 1));
        const former = all.filter(({ isCurrent }) => !isCurrent).map((one) => formerOf(one, store));
        const route = { origin: origin.iata, dest: dest.iata };
        return { ...route, airlines, ...(withFormer && { former }) };
      },
    },
    deps,
  );
  return new Router<ApiState>().get('/api/airlines', endpoint);
}

function entryOf(
  stats: SoldAirline,
  { store, origin, dest, withRecord, withOperators }: AirlinesQuery,
  flightDate: string,
  deps: ScoringDeps,
): AirlineEntry {
  const { carrier, brand } = stats;
  const query: FlightQuery = {
    origin: origin.iata,
    dest: dest.iata,
    carrier,
    flightDate,
    crsDepHour: undefined,
    isBrand: brand ? true : undefined,
  };
  const { score, label, confidence, tier } = assessNow(query, store, deps);
  return {
    airline: carrier,
    airline_name: airlineName(carrier, store),
    score,
    label,
    delay_rate: round(ratio(stats.delayedCount, stats.completedCount), 4),
    total_flights: stats.flightCount,
    confidence: round(confidence, 4),
    ...(withRecord && { record: stats.record }),
    ...(withOperators && { operators: operatorsBodyOf(query, tier, store, deps) }),
  };
}

/**
 * Describes an airline that has left the route or no longer exists. Nobody can book its flights, so it has no score.
 */
function formerOf(stats: SoldAirline, store: ScoreStore): FormerAirline {
  return {
    airline: stats.carrier,
    airline_name: airlineName(stats.carrier, store),
    last_month: stats.record?.last ?? null,
    delay_rate: round(ratio(stats.delayedCount, stats.completedCount), 4),
    total_flights: stats.flightCount,
  };
}
