import { Router } from '@koa/router';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ScoringDeps } from '../deps.ts';
import { RequestError, attempt, type Outcome } from '../errors.ts';
import { resolveFlight, type KnownFlight } from '../scoring/flight-query.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import type { RequestedParts } from '../presenters/include.ts';
import { redact } from '../redact.ts';
import { batchParams, type BatchBody, type BatchResult } from '../schemas/batch.ts';
import { splitFlight } from '../schemas/flight-text.ts';
import { checkInboundDelays } from '../schemas/inbound-delay.ts';
import { readCallParams, readParams } from '../schemas/params.ts';
import { flightParams } from '../schemas/score.ts';
import { errorBodyOf } from '../schemas/error.ts';
import { scoreAnswer } from './score.ts';

type BatchItem = {
  text: string;
  flight: Outcome<KnownFlight>;
  /** Minutes by which the incoming aircraft is late. */
  inboundMin: number | undefined;
};
type BatchQuery = { store: ScoreStore; items: BatchItem[]; parts: RequestedParts };

/** `GET /api/score/batch`: many flights in one request, each with its score or its error. */
export function batchRoutes(deps: ScoringDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<BatchQuery>(
    {
      usageLabel: '/api/score/batch',
      isCacheable: true,
      isCompressible: true,
      isCostly: true,
      parse: (ctx) => {
        const params = readCallParams(ctx, batchParams);
        const { flights, include, payout, inbound_delays: delays = [] } = params;
        checkInboundDelays(delays, flights.length);
        const store = currentStore(deps.stores);
        const now = deps.now();
        const items = flights.map((text, at) => ({
          text: redact(text),
          flight: attempt(() => resolveFlight(readFlight(text), store, now)),
          inboundMin: delays[at],
        }));
        return { store, items, parts: { include, payout } };
      },
      cost: ({ items }) => items.length,
      storeOf: ({ store }) => store,
      answer: ({ items, parts }): BatchBody => ({
        count: items.length,
        results: items.map((item) => resultOf(item, parts, deps)),
      }),
    },
    deps,
  );
  return new Router<ApiState>().get('/api/score/batch', endpoint);
}

/** Parses a flight such as `JFK-LAX-AA-2026-12-20` or `JFK-LAX-AA-2026-12-20T17:30`. */
function readFlight(text: string) {
  const { times, ...flight } = splitFlight(text);
  return readParams({ ...flight, dep_time: times }, flightParams);
}

function resultOf(
  { text, flight, inboundMin }: BatchItem,
  parts: RequestedParts,
  deps: ScoringDeps,
): BatchResult {
  if (flight.isGood) {
    const query = { flight: flight.value, withNews: false, inboundMin, ...parts };
    return { flight: text, result: scoreAnswer(query, deps) };
  }
  if (flight.error instanceof RequestError) {
    return { flight: text, error: errorBodyOf(flight.error) };
  }
  throw flight.error;
}
