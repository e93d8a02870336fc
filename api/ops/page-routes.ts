import { Router } from '@koa/router';
import type { VNode } from 'preact';
import { createDeadline } from '../../warehouse/keyring/deadline.ts';
import type { OpsSummary } from '../../warehouse/live/ops-summary.ts';
import { RequestError } from '../errors.ts';
import { opsAction, type OpsAction } from '../schemas/operations.ts';
import { REDIS_DEADLINE_MS, type OpsDeps } from './deps.ts';
import { documentOf } from './html.ts';
import { formOf, seeOther } from './login.ts';
import { checksPage } from './pages/checks.ts';
import { confirmPage } from './pages/confirm.ts';
import { jobsPage } from './pages/jobs.ts';
import { monthPage } from './pages/month.ts';
import { overviewPage } from './pages/overview.ts';
import { runsPage } from './pages/runs.ts';
import { checkToken, type OpsState, type View } from './visitor.ts';

/** The pages under `/ops`, and what their forms do. */
export function pageRoutes(deps: OpsDeps): Router<OpsState> {
  const { ask } = createDeadline(REDIS_DEADLINE_MS);
  const summary = () => ask(deps.summary);
  const look = async () => (await deps.operations()).look();
  const router = new Router<OpsState>();
  const page = (path: string, make: (view: View) => Promise<VNode>) =>
    router.get(path, async (ctx) => {
      const { visitor } = ctx.state;
      const params = ctx.params;
      const view = { visitor, query: singles(ctx.query), params, now: deps.now() };
      ctx.type = 'html';
      ctx.body = documentOf(await make(view));
    });

  page('/ops', async (view) => {
    const [known, queues] = await Promise.all([summary(), look()]);
    return overviewPage({ ...view, summary: known, ...queues });
  });
  page('/ops/months/:month', async (view) => {
    const { cells } = await known(summary);
    const month = cells.filter((cell) => cell.month === view.params['month']);
    if (month.length === 0) {
      throw new RequestError(404, 'not_found', 'Nothing is known of this month.');
    }
    return monthPage({ ...view, cells: month });
  });
  page('/ops/runs', async (view) => runsPage({ ...view, ...(await known(summary)) }));
  page('/ops/checks', async (view) => checksPage({ ...view, ...(await known(summary)) }));
  page('/ops/jobs', async (view) =>
    jobsPage({ ...view, ...(await look()), hasWrites: deps.hasWrites }),
  );
  page('/ops/confirm', async (view) => confirmPage({ ...view, action: actionOf(view.query) }));
  return router.post('/ops/actions', async (ctx) => {
    const { token, ...fields } = await formOf(ctx);
    const { visitor } = ctx.state;
    checkToken(visitor, token);
    const action = actionOf(fields);
    const id = await (await deps.operations()).ask(action, visitor.name);
    deps.log.info({ id: ctx.state.requestId, by: visitor.name, job: id }, 'operator asked');
    seeOther(ctx, `/ops?asked=${action.kind}`);
  });
}

function actionOf(fields: Record<string, string>): OpsAction {
  const parsed = opsAction.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw new RequestError(
    400,
    'invalid_parameter',
    problem?.message ?? 'The form is not filled in.',
  );
}

/** What is told once; a parameter given twice is none. */
function singles(query: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}

async function known(summary: () => Promise<OpsSummary | undefined>): Promise<OpsSummary> {
  const found = await summary();
  if (found) return found;
  throw new RequestError(
    503,
    'service_unavailable',
    'No worker has told yet how things are: start one.',
  );
}
