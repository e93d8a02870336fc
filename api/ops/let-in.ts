import type { Context } from 'koa';
import { RequestError } from '../errors.ts';
import { isAskedAhead } from '../middleware/foreign-page.ts';
import type { OpsDeps } from './deps.ts';
import { documentOf } from './html.ts';
import { enteredPage, loginPage } from './pages/login.ts';
import { visitorOf, type OpsContext, type OpsSession } from './visitor.ts';

export type EnterDeps = Pick<OpsDeps, 'isAdmin' | 'now' | 'takeEntry'>;

const NOT_GOOD =
  'This address does not log in: each works once, within a day, and only the newest one. ' +
  'Stop make run and start it again for a fresh one, or log in with an admin key.';

/** Lets in who has the token; who is in already goes on without using it up. */
export async function enter(ctx: OpsContext, token: string, deps: EnterDeps): Promise<void> {
  // A token is used up by a visit, not by a browser or a mail program that looks ahead.
  if (ctx.method !== 'GET' || isAskedAhead(ctx)) {
    throw new RequestError(403, 'forbidden', 'This address is for a visit: open it in a browser.');
  }
  if (!(await visitorOf(ctx, deps))) {
    if (!(await deps.takeEntry(token))) return refuseLogin(ctx, NOT_GOOD);
    await letIn(ctx, { entered: true });
  }
  // No redirect: where another site's page led here, a browser would follow it without the cookie.
  ctx.set('Refresh', '0; url=/ops');
  ctx.body = documentOf(enteredPage());
}

/** Begins the session of who may; what there was before is over. */
export async function letIn(
  { session }: OpsContext,
  who: Pick<OpsSession, 'prefix' | 'entered'>,
): Promise<void> {
  if (!session) throw new Error('there is no session to log in to');
  delete session.prefix;
  delete session.entered;
  delete session.token;
  Object.assign(session, who);
  // Whoever knew the id before knows nothing of this one.
  await session.regenerate();
}

/** Answers with the login page, which says why. */
export function refuseLogin(ctx: Pick<Context, 'status' | 'type' | 'body'>, problem: string): void {
  ctx.status = 403;
  ctx.type = 'html';
  ctx.body = documentOf(loginPage(problem));
}
