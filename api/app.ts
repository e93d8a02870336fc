import { Router } from '@koa/router';
import Koa from 'koa';
import type { ApiState } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { errorShape } from './middleware/error-shape.ts';
import { privateAddress } from './middleware/private-address.ts';
import { requestId } from './middleware/request-id.ts';
import { requestLog } from './middleware/request-log.ts';
import { unmatched } from './middleware/unmatched.ts';
import { describeError } from './redact.ts';
import { airlinesRoutes } from './routes/airlines.ts';
import { healthRoutes } from './routes/health.ts';
import { keysRoutes } from './routes/keys.ts';
import { newsRoutes } from './routes/news.ts';
import { scoreRoutes } from './routes/score.ts';

/** The whole API as a Koa application; it listens to nothing yet. */
export function createApp(deps: ApiDeps): Koa<ApiState> {
  const app = new Koa<ApiState>();
  app.use(requestId());
  app.use(requestLog(deps.log));
  app.use(privateAddress());
  app.use(errorShape(deps.log));
  app.use(createRouter(deps).routes());
  app.use(unmatched());
  // What fails while the answer is being written, mostly callers hanging up.
  app.on('error', (error: unknown) => {
    deps.log.debug({ error: describeError(error) }, 'answer not delivered');
  });
  return app;
}

/** Every route of the API, in the order of docs/api.md. */
export function createRouter(deps: ApiDeps): Router<ApiState> {
  const router = new Router<ApiState>();
  for (const resource of [scoreRoutes, airlinesRoutes, newsRoutes, keysRoutes, healthRoutes]) {
    router.use(resource(deps).routes());
  }
  return router;
}
