import { Router } from '@koa/router';
import Koa from 'koa';
import type { ApiState } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { compressed } from './middleware/compressed.ts';
import { errorShape } from './middleware/error-shape.ts';
import { fixedPaths } from './middleware/fixed-paths.ts';
import { measured } from './middleware/measured.ts';
import { privateAddress } from './middleware/private-address.ts';
import { requestId } from './middleware/request-id.ts';
import { requestLines, requestLog } from './middleware/request-log.ts';
import { straight } from './middleware/straight.ts';
import { unmatched } from './middleware/unmatched.ts';
import { explorerRoutes } from './explorer/routes.ts';
import { readQueriesOnce } from './query.ts';
import { describeError } from './redact.ts';
import { airlinesRoutes } from './routes/airlines.ts';
import { batchRoutes } from './routes/batch.ts';
import { calendarRoutes } from './routes/calendar.ts';
import { docsRoutes } from './routes/docs.ts';
import { explainRoutes } from './routes/explain.ts';
import { healthRoutes } from './routes/health.ts';
import { keysRoutes } from './routes/keys.ts';
import { modelRoutes } from './routes/model.ts';
import { newsRoutes } from './routes/news.ts';
import { scoreRoutes } from './routes/score.ts';

/** The whole API as a Koa application, past which short answers go straight; it listens to nothing yet. */
export function createApp(deps: ApiDeps): Koa<ApiState> {
  const app = new Koa<ApiState>();
  const router = createRouter(deps);
  const pages = deps.explorer && explorerRoutes(deps, deps.explorer);
  readQueriesOnce(app);
  app.use(requestId());
  const tell = requestLines(deps.log, deps.requestLinesPerS);
  app.use(requestLog(tell));
  const stack = [...router.stack, ...(pages?.router.stack ?? [])];
  if (deps.answered) app.use(measured({ stack }, deps.answered));
  app.use(compressed());
  app.use(privateAddress());
  app.use(errorShape(deps.log, pages?.drawRefusal));
  app.use(fixedPaths({ stack }));
  app.use(router.routes());
  if (pages) app.use(pages.router.routes());
  app.use(unmatched());
  // What fails while the answer is being written, mostly callers hanging up.
  app.on('error', (error: unknown) => {
    deps.log.debug({ error: describeError(error) }, 'answer not delivered');
  });
  const others = app.callback();
  const { log, answered } = deps;
  app.callback = () => straight(router, { log, tell, answered }, others) as typeof others;
  return app;
}

const RESOURCES = [
  scoreRoutes,
  batchRoutes,
  calendarRoutes,
  airlinesRoutes,
  newsRoutes,
  explainRoutes,
  modelRoutes,
  keysRoutes,
  healthRoutes,
  docsRoutes,
];

/** Every route of the API, in the order of docs/api.md. */
export function createRouter(deps: ApiDeps): Router<ApiState> {
  const router = new Router<ApiState>();
  for (const resource of RESOURCES) {
    router.use(resource(deps).routes());
  }
  return router;
}
