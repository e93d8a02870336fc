import { Router } from '@koa/router';
import { createDeadline } from '../../warehouse/keyring/deadline.ts';
import type { OpsSummary } from '../../warehouse/live/ops-summary.ts';
import { RequestError } from '../errors.ts';
import { REDIS_DEADLINE_MS, type OpsDeps } from './deps.ts';
import type { OpsState } from './visitor.ts';

/** `GET /api/ops/*`: the same as the pages, for programs. */
export function jsonRoutes(deps: Pick<OpsDeps, 'summary' | 'operations'>): Router<OpsState> {
  const { ask } = createDeadline(REDIS_DEADLINE_MS);
  const router = new Router<OpsState>();
  const ofSummary = (path: string, pick: (summary: OpsSummary) => object) =>
    router.get(path, async (ctx) => {
      const summary = await ask(deps.summary);
      if (!summary) {
        throw new RequestError(
          503,
          'service_unavailable',
          'No worker has told yet how things are.',
        );
      }
      const { at, host } = summary;
      ctx.body = snake({ at, ...(host !== undefined && { host }), ...pick(summary) });
    });
  ofSummary('/api/ops/status', ({ verdict, store, model, freshness }) => ({
    verdict,
    store,
    model,
    freshness,
  }));
  ofSummary('/api/ops/months', ({ cells }) => ({ months: cells }));
  ofSummary('/api/ops/runs', ({ runs }) => ({ runs }));
  ofSummary('/api/ops/checks', ({ builds }) => ({ builds }));
  return router.get('/api/ops/queues', async (ctx) => {
    ctx.body = snake(await (await deps.operations()).look());
  });
}

/** The same with names as the API writes them. */
function snake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snake(inner),
    ]),
  );
}
