import { Router } from '@koa/router';
import { createDeadline } from '../../warehouse/keyring/deadline.ts';
import type { OpsSummary } from '../../warehouse/live/ops-summary.ts';
import { RequestError } from '../errors.ts';
import { currentVerdict } from './current-verdict.ts';
import { REDIS_DEADLINE_MS, type OpsDeps, requireRun } from './deps.ts';
import type { OpsState } from './visitor.ts';

/** `GET /api/ops/*`: the data of the pages, for programs. */
export function jsonRoutes(
  deps: Pick<OpsDeps, 'summary' | 'findWriteRefusal' | 'run' | 'operations' | 'now'>,
): Router<OpsState> {
  const { run } = createDeadline(REDIS_DEADLINE_MS);
  const router = new Router<OpsState>();
  const serveSummary = (path: string, pick: (summary: OpsSummary) => object | Promise<object>) =>
    router.get(path, async (ctx) => {
      const summary = await run(deps.summary);
      if (!summary) {
        throw new RequestError(
          503,
          'service_unavailable',
          'No worker has reported yet. Start a worker.',
        );
      }
      const { at, host } = summary;
      ctx.body = toSnakeCase({ at, ...(host !== undefined && { host }), ...(await pick(summary)) });
    });
  serveSummary('/api/ops/status', async (summary) => {
    const { store, model, freshness } = summary;
    const refusal = await run(deps.findWriteRefusal);
    const { code, problems } = currentVerdict(summary, refusal, deps.now());
    const verdict = { code, why: problems.map(({ text }) => text), problems };
    return { verdict, store, model, freshness };
  });
  serveSummary('/api/ops/months', ({ cells }) => ({ months: cells }));
  serveSummary('/api/ops/runs', ({ runs }) => ({ runs }));
  serveSummary('/api/ops/checks', ({ builds }) => ({ builds }));
  router.get('/api/ops/runs/:id', async (ctx) => {
    const { id = '' } = ctx.params as { id?: string };
    ctx.body = toSnakeCase(await requireRun(deps, id));
  });
  return router.get('/api/ops/queues', async (ctx) => {
    ctx.body = toSnakeCase(await (await deps.operations()).readState());
  });
}

/** Converts all property names to snake case, as in the API. */
function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toSnakeCase(inner),
    ]),
  );
}
