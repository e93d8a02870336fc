import { Router } from '@koa/router';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { explanation } from '../../models/explanation.ts';
import { assessNow } from '../scoring/assess.ts';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import { knownFlight, type KnownFlight } from '../scoring/flight-query.ts';
import { keyed } from '../middleware/keyed.ts';
import type { ExplainBody } from '../schemas/explain.ts';
import { readParams } from '../schemas/params.ts';
import { flightParams } from '../schemas/score.ts';

type ExplainQuery = { store: ScoreStore; flight: KnownFlight };

/** `GET /api/explain`: the score of a flight in words; 501 unless it is switched on. */
export function explainRoutes(deps: ApiDeps): Router<ApiState> {
  const endpoint = keyed<ExplainQuery>(
    {
      countedAs: '/api/explain',
      refuse: () => {
        if (!deps.explains) {
          throw new RequestError(501, 'not_available', 'Explanations are not available yet.');
        }
      },
      parse: (ctx) => {
        const params = readParams(ctx.query, flightParams);
        const store = currentStore(deps.stores);
        return { store, flight: knownFlight(params, store, deps.now()) };
      },
      cost: () => (deps.explains ? 1 : 0),
      storeOf: ({ store }) => store,
      answer: ({ store, flight }): ExplainBody => {
        const { query, airline, origin, dest } = flight;
        const assessment = assessNow(query, store, deps);
        return {
          origin: query.origin,
          destination: query.dest,
          airline: query.carrier,
          date: query.flightDate,
          score: assessment.score,
          label: assessment.label,
          explanation: explanation(assessment, {
            airline: airline.name,
            origin: origin.city || origin.name,
            dest: dest.city || dest.name,
          }),
        };
      },
    },
    deps,
  );
  return new Router<ApiState>().get('/api/explain', endpoint);
}
