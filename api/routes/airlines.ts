import { Router } from '@koa/router';
import { round } from '../../warehouse/ground/round.ts';
import type { CarrierStats, ScoreStore } from '../../warehouse/store/types.ts';
import { assessNow, type AssessNowDeps } from '../scoring/assess.ts';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ApiDeps } from '../deps.ts';
import { resolveRoute, type KnownRoute } from '../scoring/flight-query.ts';
import { localDay } from '../local-day.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { ratio } from '../presenters/ratio.ts';
import { airlinesParams, type AirlineEntry, type AirlinesBody } from '../schemas/airlines.ts';
import { readCallParams } from '../schemas/params.ts';

type AirlinesQuery = KnownRoute & { store: ScoreStore; withRecord: boolean };

/** `GET /api/airlines`: all airlines with history on a route, each scored for a departure today. */
export function airlinesRoutes(deps: ApiDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<AirlinesQuery>(
    {
      usageLabel: '/api/airlines',
      isLong: true,
      parse: (ctx) => {
        const params = readCallParams(ctx, airlinesParams);
        const store = currentStore(deps.stores);
        const withRecord = params.include?.includes('record') ?? false;
        return { store, withRecord, ...resolveRoute(params, store) };
      },
      cost: () => 1,
      storeOf: ({ store }) => store,
      answer: (query): AirlinesBody => {
        const { store, origin, dest } = query;
        const today = localDay(origin.timeZone, deps.now()).date;
        const entries = store
          .carriersOnRoute(origin.iata, dest.iata)
          .map((stats) => entryOf(stats, query, today, deps));
        const airlines = entries.toSorted(
          (a, b) => a.score - b.score || (a.airline < b.airline ? -1 : 1),
        );
        return { origin: origin.iata, dest: dest.iata, airlines };
      },
    },
    deps,
  );
  return new Router<ApiState>().get('/api/airlines', endpoint);
}

function entryOf(
  stats: CarrierStats,
  { store, origin, dest, withRecord }: AirlinesQuery,
  flightDate: string,
  deps: AssessNowDeps,
): AirlineEntry {
  const { carrier } = stats;
  const query = { origin: origin.iata, dest: dest.iata, carrier, flightDate };
  const { score, label, confidence } = assessNow(query, store, deps);
  return {
    airline: carrier,
    // The reference data may no longer list a carrier of the history.
    airline_name: store.airline(carrier)?.name ?? carrier,
    score,
    label,
    delay_rate: round(ratio(stats.delayedCount, stats.completedCount), 4),
    total_flights: stats.flightCount,
    confidence: round(confidence, 4),
    ...(withRecord && { record: store.recordMonths(origin.iata, dest.iata, carrier) ?? null }),
  };
}
