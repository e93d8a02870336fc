import { Router } from '@koa/router';
import type { Call } from '../call.ts';
import type { ApiMiddleware, ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import type { ListedWatch } from '../live/watch-registry.ts';
import { readApiKey } from '../middleware/api-key.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { refuseForeignPage } from '../middleware/foreign-page.ts';
import type { Watch } from '../../warehouse/live/watches.ts';
import { inputBodyOf, numberFieldsOf } from '../presenters/score-body.ts';
import { assessNow } from '../scoring/assess.ts';
import { currentStore } from '../scoring/current-store.ts';
import { resolveFlight, type KnownFlight } from '../scoring/flight-query.ts';
import type { Label } from '../schemas/label.ts';
import { noParams, readCallParams } from '../schemas/params.ts';
import {
  createWatchParams,
  cursorOf,
  readCursor,
  watchesParams,
  type CreateWatchBody,
  type CreateWatchParams,
  type DeleteWatchBody,
  type WatchBody,
  type WatchEntry,
  type WatchesBody,
  type WatchesParams,
} from '../schemas/watches.ts';

/** `POST`, `GET` and `DELETE /api/watches`: watches send messages when scores change. */
export function watchesRoutes(deps: ApiDeps): Router<ApiState> {
  return new Router<ApiState>()
    .post('/api/watches', createEndpoint(deps))
    .get('/api/watches', listEndpoint(deps))
    .get('/api/watches/:id', findEndpoint(deps))
    .delete('/api/watches/:id', deleteEndpoint(deps));
}

/**
 * Creates the endpoint that creates watches. The score is computed after the challenge, so that no change during the
 * challenge is missed.
 */
function createEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyedEndpoint<CreateWatchParams>(
    {
      usageLabel: '/api/watches',
      refuse: refuseForeignPage,
      parse: (ctx) => {
        const params = readCallParams(ctx, createWatchParams);
        resolveNow(params, deps);
        return params;
      },
      cost: () => 1,
      answer: async (params, call): Promise<CreateWatchBody> => {
        const { url, points, band: hasBand } = params;
        const watched = watchedFlightOf(resolveNow(params, deps));
        const { secret, ...listed } = await deps.watches.create(
          readApiKey(call),
          { flight: watched, url, points, hasBand },
          () => scoreNow(params, deps),
        );
        return { watch: watchEntryOf(listed), secret };
      },
    },
    deps,
  );
}

function listEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyedEndpoint<WatchesParams>(
    {
      parse: (ctx) => readCallParams(ctx, watchesParams),
      cost: () => 0,
      isCompressible: true,
      answer: async ({ limit, cursor }, call): Promise<WatchesBody> => {
        const page = { limit, after: cursor === undefined ? undefined : readCursor(cursor) };
        const { listed, end } = await deps.watches.list(readApiKey(call), page);
        return {
          watches: listed.map(watchEntryOf),
          next_cursor: end ? cursorOf(end) : null,
          limit: deps.watches.limit,
        };
      },
    },
    deps,
  );
}

function findEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyedEndpoint<string>(
    {
      parse: readId,
      cost: () => 0,
      answer: async (id, call): Promise<WatchBody> => {
        const found = await deps.watches.find(readApiKey(call), id);
        if (!found) throw unknownWatch(id);
        return {
          watch: watchEntryOf(found.listed),
          deliveries: found.attempts.map(({ reason = null, ...attempt }) => ({
            ...attempt,
            reason,
          })),
        };
      },
    },
    deps,
  );
}

function deleteEndpoint(deps: ApiDeps): ApiMiddleware {
  return keyedEndpoint<string>(
    {
      refuse: refuseForeignPage,
      parse: readId,
      cost: () => 0,
      answer: async (id, call): Promise<DeleteWatchBody> => {
        if (!(await deps.watches.remove(readApiKey(call), id))) throw unknownWatch(id);
        return { id, deleted: true };
      },
    },
    deps,
  );
}

function readId(call: Call): string {
  readCallParams(call, noParams);
  return call.params?.['id'] ?? '';
}

function unknownWatch(id: string): RequestError {
  return new RequestError(404, 'not_found', `You have no watch with the id ${id}.`);
}

function resolveNow(params: CreateWatchParams, deps: ApiDeps): KnownFlight {
  return resolveFlight(params, currentStore(deps.stores), deps.now());
}

async function scoreNow(params: CreateWatchParams, deps: ApiDeps) {
  const { query, store } = resolveNow(params, deps);
  const { score, label } = await deps.models.complete(() => assessNow(query, store, deps));
  return { score, label, at: deps.now().toISOString() };
}

/** Returns the flight to store. A flight number is replaced by its current route, airline and time. */
function watchedFlightOf(flight: KnownFlight): Watch['flight'] {
  const { query, depTime } = flight;
  return {
    ...{ origin: query.origin, dest: query.dest, airline: query.carrier, date: query.flightDate },
    ...(depTime !== undefined && { dep_time: depTime }),
    ...numberFieldsOf(flight),
  };
}

function watchEntryOf({ watch, known, pending }: ListedWatch): WatchEntry {
  const { id, flight, url, points, hasBand, createdAt } = watch;
  return {
    id,
    input: inputBodyOf(flight),
    url,
    points,
    band: hasBand,
    created_at: createdAt,
    score: known.score,
    label: known.label as Label,
    scored_at: known.at,
    pending,
  };
}
