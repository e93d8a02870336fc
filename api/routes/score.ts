import { Router } from '@koa/router';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ApiState } from '../context.ts';
import { currentStore } from '../current-store.ts';
import type { ApiDeps } from '../deps.ts';
import { knownFlight, type KnownFlight } from '../flight-query.ts';
import { keyed } from '../middleware/keyed.ts';
import { scoreBodyOf } from '../presenters/score-body.ts';
import { readParams } from '../schemas/params.ts';
import { scoreParams, type ScoreBody } from '../schemas/score.ts';

type ScoreQuery = { store: ScoreStore; flight: KnownFlight; withNews: boolean };

/** `GET /api/score`: the delay risk of one flight. */
export function scoreRoutes(deps: ApiDeps): Router<ApiState> {
  const endpoint = keyed<ScoreQuery>(
    {
      parse: (ctx) => {
        const params = readParams(ctx.query, scoreParams);
        const store = currentStore(deps.feed);
        return { store, flight: knownFlight(params, store, deps.now()), withNews: params.news };
      },
      cost: () => 1,
      answer: ({ store, flight, withNews }, ctx): ScoreBody => {
        const live = deps.liveInputs(flight.query, store);
        const body = scoreBodyOf(flight, deps.assess(flight.query, store, live), store);
        ctx.set('X-Store-Version', store.manifest.version);
        return withNews ? { ...body, news: deps.flightNews(flight) } : body;
      },
    },
    deps,
  );
  return new Router<ApiState>().get('/api/score', endpoint);
}
