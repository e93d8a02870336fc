import { Router } from '@koa/router';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { assessNow } from '../scoring/assess.ts';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ApiDeps } from '../deps.ts';
import { knownFlight, type KnownFlight } from '../scoring/flight-query.ts';
import { keyed } from '../middleware/keyed.ts';
import { includedPartsOf } from '../presenters/include.ts';
import { scoreBodyOf } from '../presenters/score-body.ts';
import type { Include } from '../schemas/include.ts';
import { readParams } from '../schemas/params.ts';
import { scoreParams, type ScoreBody } from '../schemas/score.ts';

type ScoreQuery = {
  store: ScoreStore;
  flight: KnownFlight;
  withNews: boolean;
  include: Include[] | undefined;
};

/** `GET /api/score`: the delay risk of one flight. */
export function scoreRoutes(deps: ApiDeps): Router<ApiState> {
  const endpoint = keyed<ScoreQuery>(
    {
      countedAs: '/api/score',
      parse: (ctx) => {
        const params = readParams(ctx.query, scoreParams);
        const store = currentStore(deps.stores);
        const flight = knownFlight(params, store, deps.now());
        return { store, flight, withNews: params.news, include: params.include };
      },
      cost: () => 1,
      storeOf: ({ store }) => store,
      answerEarly: (query) => scoreAnswer(query, deps),
    },
    deps,
  );
  return new Router<ApiState>().get('/api/score', endpoint);
}

/** The body for a flight, with what was asked for beyond the specification. */
export function scoreAnswer(
  { store, flight, withNews, include }: ScoreQuery,
  deps: ApiDeps,
): ScoreBody {
  const assessment = assessNow(flight.query, store, deps);
  const body = scoreBodyOf(flight, assessment, store);
  if (!withNews && !include) {
    return body;
  }
  const answered = { flight, assessment, store };
  const parts = include && includedPartsOf(include, answered, deps);
  return { ...body, ...(withNews && { news: deps.flightNews(flight) }), ...parts };
}
