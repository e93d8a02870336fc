import { Router } from '@koa/router';
import Koa from 'koa';
import type { ApiState } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { compressAnswers } from './middleware/compression.ts';
import { errorShape } from './middleware/error-shape.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { measureAnswers } from './middleware/measure.ts';
import { privateHeaders } from './middleware/private-headers.ts';
import { requestId } from './middleware/request-id.ts';
import { createRequestLogger, requestLog } from './middleware/request-log.ts';
import { bypassKoa, keyedAnswersOf } from './middleware/fast-path.ts';
import { refuseUnmatched } from './middleware/unmatched.ts';
import { explorerRoutes } from './explorer/routes.ts';
import { readQueriesOnce } from './query.ts';
import { describeError } from './redact.ts';
import { airlinesRoutes } from './routes/airlines.ts';
import { alternativesRoutes } from './routes/alternatives.ts';
import { batchRoutes } from './routes/batch.ts';
import { calendarRoutes } from './routes/calendar.ts';
import { docsRoutes } from './routes/docs.ts';
import { explainRoutes } from './routes/explain.ts';
import { healthRoutes } from './routes/health.ts';
import { itineraryRoutes } from './routes/itinerary.ts';
import { jwksRoutes } from './routes/jwks.ts';
import { keysRoutes } from './routes/keys.ts';
import { modelRoutes } from './routes/model.ts';
import { newsRoutes } from './routes/news.ts';
import { scoreRoutes } from './routes/score.ts';

/**
 * Creates the API as a Koa application that listens on no port. The `callback` of the application answers short
 * requests without Koa.
 */
export function createApp(deps: ApiDeps): Koa<ApiState> {
  const app = new Koa<ApiState>();
  const router = createRouter(deps);
  const pages = deps.explorer && explorerRoutes(deps, deps.explorer);
  readQueriesOnce(app);
  app.use(requestId());
  const logRequest = createRequestLogger(deps.log, deps.requestLinesPerS);
  app.use(requestLog(logRequest));
  const stack = [...router.stack, ...(pages?.router.stack ?? [])];
  if (deps.recordAnswer) app.use(measureAnswers({ stack }, deps.recordAnswer));
  app.use(compressAnswers());
  app.use(privateHeaders());
  app.use(errorShape(deps.log, pages?.drawRefusal));
  app.use(router.routes());
  if (pages) app.use(pages.router.routes());
  app.use(refuseUnmatched());
  // Logs answers that could not be delivered, mostly because the caller has closed the connection.
  app.on('error', (error: unknown) => {
    deps.log.debug({ error: describeError(error) }, 'answer not delivered');
  });
  const koaListener = app.callback();
  const { log, recordAnswer } = deps;
  app.callback = () =>
    bypassKoa(router, { log, logRequest, recordAnswer }, koaListener) as typeof koaListener;
  return app;
}

const RESOURCES = [
  scoreRoutes,
  batchRoutes,
  calendarRoutes,
  alternativesRoutes,
  itineraryRoutes,
  airlinesRoutes,
  newsRoutes,
  explainRoutes,
  modelRoutes,
  keysRoutes,
  healthRoutes,
  docsRoutes,
  jwksRoutes,
];

/** Creates a router with all routes of the API, in the order of docs/api.md. */
export function createRouter(deps: ApiDeps): Router<ApiState> {
  const router = new Router<ApiState>();
  for (const resource of RESOURCES) {
    router.use(resource(deps).routes());
  }
  router.use(mcpRoutes(keyedAnswersOf(router), deps).routes());
  return router;
}
