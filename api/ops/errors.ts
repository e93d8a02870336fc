import type { Logger } from 'pino';
import { RedisUnavailableError } from '../../warehouse/errors.ts';
import type { ApiMiddleware } from '../context.ts';
import { RequestError, RETRY_AFTER_S } from '../errors.ts';
import { describeError } from '../redact.ts';
import { documentOf, html } from './html.ts';
import type { VNode } from 'preact';
import { layout } from './pages/layout.ts';

const REDIS_UNAVAILABLE =
  'Redis does not answer, so these pages are unavailable. Try again in a few seconds.';
const INTERNAL = 'Internal error. The log of the API has the cause.';

/** Converts errors into HTML pages. Visitors without a session are redirected to the login. */
export function pageErrors(log: Pick<Logger, 'error'>): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const [status, text] = statusAndText(error);
      if (status === 401 && ctx.method === 'GET') {
        ctx.redirect('/ops/login');
        ctx.status = 303;
        return;
      }
      if (status === 500) {
        log.error({ id: ctx.state.requestId, error: describeError(error) }, 'request failed');
      }
      if (status === 503) ctx.set('Retry-After', String(RETRY_AFTER_S));
      if (error instanceof RequestError) ctx.set(error.headers);
      ctx.status = status;
      ctx.type = 'html';
      ctx.body = documentOf(problemPage(status, text));
    }
  };
}

function statusAndText(error: unknown): [number, string] {
  if (error instanceof RequestError) return [error.status, error.message];
  return error instanceof RedisUnavailableError ? [503, REDIS_UNAVAILABLE] : [500, INTERNAL];
}

const TITLES: Record<number, string> = {
  401: 'Log in first',
  403: 'Refused',
  404: 'Not found',
  405: 'Method not allowed',
  503: 'Unavailable',
};

/** Returns an error page with a link to the overview. */
function problemPage(status: number, text: string): VNode {
  return layout(
    { title: TITLES[status] ?? 'Error' },
    html`<p role="alert">${text}</p>
      <p><a href="/ops">Back to the overview</a></p>`,
  );
}
