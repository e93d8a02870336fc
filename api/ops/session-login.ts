import type { Context } from 'koa';
import { RequestError } from '../errors.ts';
import { isPrefetch } from '../middleware/foreign-page.ts';
import type { OpsDeps } from './deps.ts';
import { documentOf } from './html.ts';
import { enteredPage, loginPage } from './pages/login.ts';
import { visitorOf, type OpsContext, type OpsSession } from './visitor.ts';

export type EnterDeps = Pick<OpsDeps, 'isAdmin' | 'now' | 'takeEntry'>;

const INVALID_ADDRESS =
  'This address is not valid any more. Each address works once, within a day, and only the newest one works. ' +
  'Restart make run to get a new address, or log in with an admin key.';

/** Logs in a visitor with a valid one-time token. The token stays valid if the visitor is already logged in. */
export async function enterWithToken(
  ctx: OpsContext,
  token: string,
  deps: EnterDeps,
): Promise<void> {
  // Prefetching by browsers and mail programs must not use up the token.
  if (ctx.method !== 'GET' || isPrefetch(ctx)) {
    throw new RequestError(403, 'forbidden', 'Open this address in a browser.');
  }
  if (!(await visitorOf(ctx, deps))) {
    if (!(await deps.takeEntry(token))) return refuseLogin(ctx, INVALID_ADDRESS);
    await startSession(ctx, { entered: true });
  }
  // Use `Refresh` instead of a redirect. If the visitor clicked a link on another site, browsers follow a redirect
  // without sending the strict cookie.
  ctx.set('Refresh', '0; url=/ops');
  ctx.body = documentOf(enteredPage());
}

/** Starts a session and ends the previous one. */
export async function startSession(
  { session }: OpsContext,
  who: Pick<OpsSession, 'prefix' | 'entered'>,
): Promise<void> {
  if (!session) throw new Error('this request has no session');
  delete session.prefix;
  delete session.entered;
  delete session.token;
  Object.assign(session, who);
  // A new session id prevents session fixation.
  await session.regenerate();
}

/** Shows the login page with the reason of the refusal. */
export function refuseLogin(ctx: Pick<Context, 'status' | 'type' | 'body'>, problem: string): void {
  ctx.status = 403;
  ctx.type = 'html';
  ctx.body = documentOf(loginPage(problem));
}
