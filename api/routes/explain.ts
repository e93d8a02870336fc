import { Router } from '@koa/router';
import { buildExplanation } from '../../models/explanation.ts';
import { assessNow } from '../scoring/assess.ts';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import { resolveFlight, type KnownFlight } from '../scoring/flight-query.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import type { ExplainBody } from '../schemas/explain.ts';
import { readCallParams } from '../schemas/params.ts';
import { flightParams } from '../schemas/score.ts';

/** `GET /api/explain`: the score of a flight in words; 501 unless switched on. */
export function explainRoutes(deps: ApiDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<KnownFlight>(
    {
      usageLabel: '/api/explain',
      refuse: () => {
        if (!deps.isExplainEnabled) {
          throw new RequestError(501, 'not_available', 'Explanations are not available yet.');
        }
      },
      parse: (ctx) => {
        const params = readCallParams(ctx, flightParams);
        return resolveFlight(params, currentStore(deps.stores), deps.now());
      },
      cost: () => (deps.isExplainEnabled ? 1 : 0),
      storeOf: ({ store }) => store,
      answer: ({ query, store, airline, origin, dest }): ExplainBody => {
        const assessment = assessNow(query, store, deps);
        return {
          origin: query.origin,
          destination: query.dest,
          airline: query.carrier,
          date: query.flightDate,
          score: assessment.score,
          label: assessment.label,
          explanation: buildExplanation(assessment, {
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
