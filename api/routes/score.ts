import { Router } from '@koa/router';
import { assessNow, withAircraft } from '../scoring/assess.ts';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ScoringDeps } from '../deps.ts';
import { resolveFlight, type KnownFlight } from '../scoring/flight-query.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { includedPartsOf, type RequestedParts } from '../presenters/include.ts';
import { scoreBodyOf } from '../presenters/score-body.ts';
import { readCallParams } from '../schemas/params.ts';
import { scoreParams, type ScoreBody } from '../schemas/score.ts';

type ScoreQuery = {
  flight: KnownFlight;
  withNews: boolean;
  /** Minutes by which the incoming aircraft is late. */
  inboundMin?: number | undefined;
} & RequestedParts;

/** `GET /api/score`: the delay risk of one flight. */
export function scoreRoutes(deps: ScoringDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<ScoreQuery>(
    {
      usageLabel: '/api/score',
      isCacheable: true,
      parse: (ctx) => {
        const params = readCallParams(ctx, scoreParams);
        const flight = resolveFlight(params, currentStore(deps.stores), deps.now());
        const { news: withNews, include, payout, inbound_delay: inboundMin } = params;
        return { flight, withNews, include, payout, inboundMin };
      },
      cost: () => 1,
      storeOf: ({ flight }) => flight.store,
      answerInParallel: (query) => scoreAnswer(query, deps),
    },
    deps,
  );
  return new Router<ApiState>().get('/api/score', endpoint);
}

/** Builds the body for a flight, with the requested optional parts. */
export function scoreAnswer(
  { flight, withNews, include, payout, inboundMin }: ScoreQuery,
  deps: ScoringDeps,
): ScoreBody {
  const { query, store } = flight;
  const assessment = assessNow(query, store, withAircraft(inboundMin, deps));
  const body = scoreBodyOf(flight, assessment, store);
  if (!withNews && !include && !payout) {
    return body;
  }
  const assessed = { flight, assessment, store };
  const parts = includedPartsOf({ include, payout }, assessed, deps);
  return { ...body, ...(withNews && { news: deps.flightNews(flight) }), ...parts };
}
