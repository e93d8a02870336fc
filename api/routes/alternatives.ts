import { Router } from '@koa/router';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ApiState } from '../context.ts';
import type { ScoringDeps } from '../deps.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { alternativesBodyOf, type FoundAlternatives } from '../presenters/alternatives-body.ts';
import {
  alternativesParams,
  ROWS_PER_CALL,
  type AlternativesBody,
} from '../schemas/alternatives.ts';
import { readCallParams } from '../schemas/params.ts';
import { chooseAlternatives, listCandidates } from '../scoring/alternatives.ts';
import { assessNow, type AssessNowDeps } from '../scoring/assess.ts';
import { currentStore } from '../scoring/current-store.ts';
import {
  resolveCityPair,
  resolveFlight,
  scorableDates,
  type DateRange,
  type KnownFlight,
} from '../scoring/flight-query.ts';

export type AlternativesQuery = {
  store: ScoreStore;
  flight: KnownFlight;
  dates: DateRange;
  limit: number;
};

/** `GET /api/alternatives`: flights between the same cities with a clearly lower score. */
export function alternativesRoutes(deps: ScoringDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<AlternativesQuery>(
    {
      usageLabel: '/api/alternatives',
      isCacheable: true,
      isCompressible: true,
      isCostly: true,
      parse: (ctx) => {
        const { limit, ...params } = readCallParams(ctx, alternativesParams);
        const whole = currentStore(deps.stores);
        const now = deps.now();
        const pair = params.flight === undefined ? resolveCityPair(params, whole) : {};
        const flight = resolveFlight({ ...params, ...pair }, whole, now);
        // Only this store is searched: providers measure delays in different ways, so their scores cannot be compared.
        return { store: flight.store, flight, dates: scorableDates(flight.origin, now), limit };
      },
      cost: ({ limit }) => Math.ceil(limit / ROWS_PER_CALL),
      storeOf: ({ store }) => store,
      answer: (query): AlternativesBody => alternativesAnswer(query, deps),
    },
    deps,
  );
  return new Router<ApiState>().get('/api/alternatives', endpoint);
}

/** Builds the body for a flight. */
export function alternativesAnswer(
  query: AlternativesQuery,
  deps: AssessNowDeps,
): AlternativesBody {
  return alternativesBodyOf(findAlternatives(query, deps));
}

/** Returns the flight, the better flights in the order of the body, and the number of compared flights. */
export function findAlternatives(
  { store, flight, dates, limit }: AlternativesQuery,
  deps: AssessNowDeps,
): FoundAlternatives {
  const assessment = assessNow(flight.query, store, deps);
  const candidates = listCandidates(flight, dates, store).map((candidate) => ({
    ...candidate,
    assessment: assessNow(candidate.query, store, deps),
  }));
  return {
    flight: { ...flight, assessment },
    considered: candidates.length,
    better: chooseAlternatives(assessment, candidates, store),
    limit,
    store,
  };
}
