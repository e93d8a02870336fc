import { randomBytes } from 'node:crypto';
import { Router } from '@koa/router';
import Koa from 'koa';
import createSession from 'koa-session';
import { createDeadline } from '../../warehouse/keyring/deadline.ts';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { RequestError } from '../errors.ts';
import { errorShape } from '../middleware/error-shape.ts';
import { measured } from '../middleware/measured.ts';
import { privateAddress } from '../middleware/private-address.ts';
import { requestId } from '../middleware/request-id.ts';
import { requestLines, requestLog } from '../middleware/request-log.ts';
import { unmatched } from '../middleware/unmatched.ts';
import { describeError } from '../redact.ts';
import { REDIS_DEADLINE_MS, type OpsDeps } from './deps.ts';
import { pageErrors } from './errors.ts';
import { fileRoutes, isOpen, loginRoutes } from './login.ts';
import { jsonRoutes } from './json-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { boardAfterGate } from './board-gate.ts';
import { refuseForeignOrigin, visitorOf, type OpsContext, type OpsState } from './visitor.ts';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** A working day. */
const SESSION_MS = 8 * 3_600_000;

/** The operators' pages and `/api/ops/*`, as an application of their own: nothing of them is on the way of a call. */
export function createOpsApp(deps: OpsDeps): Koa<OpsState> {
  const app = new Koa<OpsState>();
  // Says whether the visitor came by TLS; of addresses only the socket's own counts.
  app.proxy = true;
  const router = new Router<OpsState>();
  for (const routes of [fileRoutes(), loginRoutes(deps), pageRoutes(deps), jsonRoutes(deps)]) {
    router.use(routes.routes());
  }
  const pages = pageErrors(deps.log);
  const shapes = errorShape(deps.log);
  app.use(requestId());
  app.use(requestLog(requestLines(deps.log, deps.requestLinesPerS)) as Koa.Middleware<OpsState>);
  if (deps.answered) app.use(measured(router as unknown as Router<ApiState>, deps.answered));
  app.use(privateAddress());
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
  app.use(unmatched());
  app.on('error', (error: unknown) => {
    deps.log.debug({ error: describeError(error) }, 'answer not delivered');
  });
  return app;
}

function headers(): ApiMiddleware {
  return (ctx, next) => {
    ctx.set({
      'Content-Security-Policy': POLICY,
      // Without one a browser does not say either from where a form was sent.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
    return next();
  };
}

/** The cookie holds nothing but a random id: neither a key nor who it is. */
function sessions(app: Koa<OpsState>, { sessions: kept }: Pick<OpsDeps, 'sessions'>) {
  const { ask } = createDeadline(REDIS_DEADLINE_MS);
  return createSession(
    {
      key: 'hw_ops',
      maxAge: SESSION_MS,
      httpOnly: true,
      sameSite: 'strict',
      signed: false,
      genid: () => randomBytes(32).toString('base64url'),
      store: {
        get: (id) => ask(() => kept.get(id)),
        set: (id, session: object, maxAge) => ask(() => kept.set(id, session, maxAge)),
        destroy: (id) => ask(() => kept.destroy(id)),
      },
    },
    app,
  ) as Koa.Middleware<OpsState>;
}

/** Lets in who may; the login itself is open. */
function gate(deps: OpsDeps): Koa.Middleware<OpsState> {
  return async (ctx, next) => {
    if (isOpen(ctx.path)) return next();
    const known = ctx as unknown as OpsContext;
    const visitor = await visitorOf(known, deps);
    if (!visitor) {
      // Of a key that was switched off.
      if (known.session?.prefix !== undefined) known.session = null;
      throw new RequestError(401, 'forbidden', 'Log in at /ops/login with an admin key.');
    }
    ctx.state.visitor = visitor;
    if (visitor.keyPrefix !== undefined) ctx.state.keyPrefix = visitor.keyPrefix;
    return next();
  };
}
