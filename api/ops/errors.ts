import type { Logger } from 'pino';
import { RedisAwayError } from '../../warehouse/errors.ts';
import type { ApiMiddleware } from '../context.ts';
import { RequestError, RETRY_AFTER_S } from '../errors.ts';
import { describeError } from '../redact.ts';
import { documentOf } from './html.ts';
import { problemPage } from './pages/problem.ts';

const AWAY = 'Redis does not answer, so nothing can be seen or asked for at the moment.';
const BROKEN = 'Something went wrong on our side; the log of the API says what.';

/** Turns what was thrown into a page; who has to log in first is sent there. */
export function pageErrors(log: Pick<Logger, 'error'>): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const [status, text] = wordsOf(error);
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

function wordsOf(error: unknown): [number, string] {
  if (error instanceof RequestError) return [error.status, error.message];
  return error instanceof RedisAwayError ? [503, AWAY] : [500, BROKEN];
}
