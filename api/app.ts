import { Router } from '@koa/router';
import Koa from 'koa';
import type { ApiMiddleware, ApiState } from './context.ts';
import type { ApiDeps, ScoringDeps } from './deps.ts';
import { compressAnswers } from './middleware/compression.ts';
import { errorShape, refuseUnmatched } from './middleware/error-shape.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { measureAnswers } from './middleware/measure.ts';
import { requestId } from './middleware/request-id.ts';
import { createRequestLogger, requestLog } from './middleware/request-log.ts';
import { bypassKoa, keyedAnswersOf } from './middleware/fast-path.ts';
import { explorerRoutes } from './explorer/routes.ts';
import { describeError } from './redact.ts';
import { airlinesRoutes } from './routes/airlines.ts';
import { alternativesRoutes } from './routes/alternatives.ts';
import { batchRoutes } from './routes/batch.ts';
import { calendarRoutes } from './routes/calendar.ts';
import { coverageRoutes } from './routes/coverage.ts';
import { docsRoutes } from './routes/docs.ts';
import { explainRoutes } from './routes/explain.ts';
import { healthRoutes } from './routes/health.ts';
import { itineraryRoutes } from './routes/itinerary.ts';
import { jwksRoutes } from './routes/jwks.ts';
import { keysRoutes } from './routes/keys.ts';
import { modelRoutes } from './routes/model.ts';
import { newsRoutes } from './routes/news.ts';
import { recordRoutes } from './routes/record.ts';
import { scoreRoutes } from './routes/score.ts';
import { privateHeaders } from './middleware/answer-headers.ts';
import type { ParsedUrlQuery } from 'node:querystring';
import { readQuery } from './call.ts';
import type { KeyedAnswer } from './middleware/keyed-endpoint.ts';
import { watchesRoutes } from './routes/watches.ts';

/**
 * Creates the API as a Koa application that does not listen on a port yet. The application's `callback` function
 * answers requests to keyed endpoints itself, without Koa.
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
  if (pages) app.use(limitVisits(pages.checkLimit));
  app.use(router.routes());
  if (pages) app.use(pages.router.routes());
  app.use(refuseUnmatched());
  // Logs answers that could not be sent, usually because the caller closed the connection.
  app.on('error', (error: unknown) => {
    deps.log.debug({ error: describeError(error) }, 'answer not delivered');
  });
  const koaListener = app.callback();
  const { log, recordAnswer } = deps;
  app.callback = () =>
    bypassKoa(router, { log, logRequest, recordAnswer }, koaListener) as typeof koaListener;
  return app;
}

/**
 * Paths of public endpoints with large answers. Requests to these paths count toward the visitors' limits, as page
 * visits do. Like the router, the pattern accepts capital letters and a trailing slash.
 */
const LIMITED_PATHS = /^\/api\/(record|coverage)\/?$/i;

function limitVisits(
  checkLimit: (ctx: Koa.ParameterizedContext<ApiState>) => Promise<void>,
): ApiMiddleware {
  return async (ctx, next) => {
    if (LIMITED_PATHS.test(ctx.path)) await checkLimit(ctx);
    await next();
  };
}

/** Routes whose answers depend only on the store, live data and time. */
const SCORING_RESOURCES = [
  scoreRoutes,
  batchRoutes,
  calendarRoutes,
  alternativesRoutes,
  itineraryRoutes,
  airlinesRoutes,
];

const RESOURCES = [
  ...SCORING_RESOURCES,
  newsRoutes,
  explainRoutes,
  watchesRoutes,
  modelRoutes,
  recordRoutes,
  coverageRoutes,
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

/** Returns a map from paths to answer functions, for all endpoints that return scores. */
export function scoringAnswers(deps: ScoringDeps): Map<string, KeyedAnswer> {
  const router = new Router<ApiState>();
  for (const resource of SCORING_RESOURCES) router.use(resource(deps).routes());
  return keyedAnswersOf(router);
}

type WithQuery = Koa.Request & { [QUERY]?: ParsedUrlQuery };

const QUERY = Symbol('query');

/**
 * Replaces Koa's `request.query` with a query that is parsed only once. Koa would parse all parameters again for each
 * parameter. Koa would also store the query string as a property name, although the query string may contain a key.
 */
export function readQueriesOnce(app: Pick<Koa<ApiState>, 'request'>): void {
  Object.defineProperty(app.request, 'query', {
    get(this: WithQuery): ParsedUrlQuery {
      return (this[QUERY] ??= readQuery(this.querystring));
    },
  });
}
