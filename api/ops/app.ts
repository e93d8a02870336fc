import { randomBytes } from 'node:crypto';
import { Router } from '@koa/router';
import Koa from 'koa';
import createSession from 'koa-session';
import { createDeadline } from '../../warehouse/keyring/deadline.ts';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { RequestError } from '../errors.ts';
import { errorShape, refuseUnmatched } from '../middleware/error-shape.ts';
import { measureAnswers } from '../middleware/measure.ts';
import { requestId } from '../middleware/request-id.ts';
import { createRequestLogger, requestLog } from '../middleware/request-log.ts';
import { describeError } from '../redact.ts';
import { REDIS_DEADLINE_MS, type OpsDeps } from './deps.ts';
import { pageErrors } from './errors.ts';
import { fileRoutes, isOpen, loginRoutes } from './login.ts';
import { jsonRoutes } from './json-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { boardAfterGate } from './board-gate.ts';
import { refuseForeignOrigin, visitorOf, type OpsContext, type OpsState } from './visitor.ts';
import { privateHeaders } from '../middleware/answer-headers.ts';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** A session lasts one working day. */
const SESSION_MS = 8 * 3_600_000;

/**
 * Creates the application for the operators' pages and `/api/ops/*`. The API is a separate application, so API calls
 * never pass through this one.
 */
export function createOpsApp(deps: OpsDeps): Koa<OpsState> {
  const app = new Koa<OpsState>();
  // Trusts the header X-Forwarded-Proto. The header only decides about the Secure flag of the cookie.
  app.proxy = true;
  const router = new Router<OpsState>();
  for (const routes of [fileRoutes(), loginRoutes(deps), pageRoutes(deps), jsonRoutes(deps)]) {
    router.use(routes.routes());
  }
  const pages = pageErrors(deps.log);
  const shapes = errorShape(deps.log);
  app.use(requestId());
  app.use(
    requestLog(createRequestLogger(deps.log, deps.requestLinesPerS)) as Koa.Middleware<OpsState>,
  );
  if (deps.recordAnswer) {
    app.use(measureAnswers(router as unknown as Router<ApiState>, deps.recordAnswer));
  }
  app.use(privateHeaders());
  app.use(headers());
  app.use((ctx, next) => (ctx.path.startsWith('/api/') ? shapes : pages)(ctx as never, next));
  app.use((ctx, next) => {
    refuseForeignOrigin(ctx);
    return next();
  });
  app.use(sessions(app, deps));
  app.use(gate(deps));
  app.use(boardAfterGate(deps));
  app.use(router.routes());
  app.use(refuseUnmatched());
  app.on('error', (error: unknown) => {
    deps.log.debug({ error: describeError(error) }, 'answer not delivered');
  });
  return app;
}

function headers(): ApiMiddleware {
  return (ctx, next) => {
    ctx.set({
      'Content-Security-Policy': POLICY,
      // With `no-referrer`, browsers would send forms with `Origin: null`, and the server would refuse the forms.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
    return next();
  };
}

/** Stores sessions on the server. The cookie contains only a random id, no key and no name. */
function sessions(app: Koa<OpsState>, { sessions: store }: Pick<OpsDeps, 'sessions'>) {
  const { run } = createDeadline(REDIS_DEADLINE_MS);
  return createSession(
    {
      key: 'hw_ops',
      maxAge: SESSION_MS,
      httpOnly: true,
      sameSite: 'strict',
      signed: false,
      genid: () => randomBytes(32).toString('base64url'),
      store: {
        get: (id) => run(() => store.get(id)),
        set: (id, session: object, maxAge) => run(() => store.set(id, session, maxAge)),
        destroy: (id) => run(() => store.destroy(id)),
      },
    },
    app,
  ) as Koa.Middleware<OpsState>;
}

/** Refuses visitors without a valid session. The login page is open to everyone. */
function gate(deps: OpsDeps): Koa.Middleware<OpsState> {
  return async (ctx, next) => {
    if (isOpen(ctx.path)) return next();
    const opsContext = ctx as unknown as OpsContext;
    const visitor = await visitorOf(opsContext, deps);
    if (!visitor) {
      // End the session, because its key was deactivated.
      if (opsContext.session?.prefix !== undefined) opsContext.session = null;
      throw new RequestError(401, 'forbidden', 'Log in at /ops/login with an admin key.');
    }
    ctx.state.visitor = visitor;
    if (visitor.keyPrefix !== undefined) ctx.state.keyPrefix = visitor.keyPrefix;
    return next();
  };
}
