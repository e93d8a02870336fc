import { Router } from '@koa/router';
import type { VNode } from 'preact';
import { createDeadline } from '../../warehouse/keyring/deadline.ts';
import type { OpsSummary } from '../../warehouse/live/ops-summary.ts';
import { RequestError } from '../errors.ts';
import { opsAction, type OpsAction } from '../schemas/operations.ts';
import { currentVerdict } from './current-verdict.ts';
import { REDIS_DEADLINE_MS, type OpsDeps, requireRun } from './deps.ts';
import { documentOf } from './html.ts';
import { readForm, seeOther } from './login.ts';
import { checksPage } from './pages/checks.ts';
import { confirmPage } from './pages/confirm.ts';
import { jobsPage } from './pages/jobs.ts';
import { lineagePage } from './pages/lineage.ts';
import { monthPage } from './pages/month.ts';
import { overviewPage } from './pages/overview.ts';
import { runPage } from './pages/run.ts';
import { runsPage } from './pages/runs.ts';
import { checkToken, type OpsState, type View } from './visitor.ts';

const NO_REPORT = 'No worker has reported yet. Start a worker.';

/** Serves the pages under `/ops` and handles their forms. */
export function pageRoutes(deps: OpsDeps): Router<OpsState> {
  const { run } = createDeadline(REDIS_DEADLINE_MS);
  const summary = () => run(deps.summary);
  const readQueues = async () => (await deps.operations()).readState();
  const router = new Router<OpsState>();
  const page = (path: string, make: (view: View) => Promise<VNode>) =>
    router.get(path, async (ctx) => {
      const { visitor } = ctx.state;
      const params = ctx.params;
      const view = { visitor, query: uniqueParams(ctx.query), params, now: deps.now() };
      ctx.type = 'html';
      ctx.body = documentOf(await make(view));
    });

  page('/ops', async (view) => {
    const [lastSummary, queues, writeRefusal] = await Promise.all([
      summary(),
      readQueues(),
      run(deps.findWriteRefusal),
    ]);
    const verdict = currentVerdict(lastSummary, writeRefusal, view.now);
    return overviewPage({ ...view, summary: lastSummary, verdict, ...queues });
  });
  page('/ops/months/:month', async (view) => {
    const { cells } = await requireSummary(summary);
    const month = cells.filter((cell) => cell.month === view.params['month']);
    if (month.length === 0) {
      throw new RequestError(404, 'not_found', 'There are no data for this month.');
    }
    return monthPage({ ...view, cells: month });
  });
  page('/ops/runs', async (view) => runsPage({ ...view, ...(await requireSummary(summary)) }));
  page('/ops/runs/:id', async (view) => {
    const run = await requireRun(deps, view.params['id'] ?? '');
    const { runs } = await requireSummary(summary);
    const { readJob } = await deps.operations();
    const job = run.job && (await readJob(run.job.queue, run.job.id));
    return runPage({ ...view, run, runs, job });
  });
  page('/ops/lineage', async (view) => {
    const [lineage, lastSummary] = await Promise.all([run(deps.lineage), requireSummary(summary)]);
    if (!lineage) throw new RequestError(503, 'service_unavailable', NO_REPORT);
    return lineagePage({ ...view, lineage, builds: lastSummary.builds });
  });
  page('/ops/checks', async (view) => checksPage({ ...view, ...(await requireSummary(summary)) }));
  page('/ops/jobs', async (view) =>
    jobsPage({ ...view, ...(await readQueues()), hasWrites: deps.hasWrites }),
  );
  page('/ops/confirm', async (view) => {
    const action = actionOf(view.query);
    const schedules = action.kind === 'schedule' ? (await readQueues()).schedules : [];
    const schedule = schedules.find(({ id }) => action.kind === 'schedule' && id === action.id);
    return confirmPage({ ...view, action, schedule });
  });
  return router.post('/ops/actions', async (ctx) => {
    const { token, ...fields } = await readForm(ctx);
    const { visitor } = ctx.state;
    checkToken(visitor, token);
    const action = actionOf(fields);
    const id = await (await deps.operations()).enqueue(action, visitor.name);
    deps.log.info(
      { id: ctx.state.requestId, by: visitor.name, job: id },
      'operator request enqueued',
    );
    seeOther(ctx, `/ops?requested=${action.kind}`);
  });
}

function actionOf(fields: Record<string, string>): OpsAction {
  const parsed = opsAction.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw new RequestError(400, 'invalid_parameter', problem?.message ?? 'The form is incomplete.');
}

/** Returns the query parameters that appear only once. */
function uniqueParams(
  query: Record<string, string | string[] | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}

async function requireSummary(summary: () => Promise<OpsSummary | undefined>): Promise<OpsSummary> {
  const lastSummary = await summary();
  if (lastSummary) return lastSummary;
  throw new RequestError(503, 'service_unavailable', NO_REPORT);
}
