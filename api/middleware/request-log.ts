import type { ParsedUrlQuery } from 'node:querystring';
import type { Logger } from 'pino';
import type { ApiMiddleware } from '../context.ts';
import { safePath } from '../redact.ts';

/** Parameters worth logging; never `api_key`, `name` or `email`. */
const LOGGED = [
  'origin',
  'dest',
  'airline',
  'date',
  'dep_time',
  'month',
  'news',
  'refresh',
  'year',
  'monthly_limit',
] as const;

/** Too short for a key and without the sign of an e-mail address, whatever the caller put there. */
const LOGGABLE = /^[0-9A-Za-z:-]{1,12}$/;

/** Writes one line for each request: path, status, time, key prefix and harmless parameters. */
export function requestLog(log: Pick<Logger, 'info'>): ApiMiddleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const { requestId, keyPrefix, reason } = ctx.state;
    log.info(
      {
        id: requestId,
        method: ctx.method,
        path: safePath(ctx.path),
        params: loggedParams(ctx.query),
        status: ctx.status,
        ms: Math.round(10 * (performance.now() - startedAt)) / 10,
        ...(keyPrefix !== undefined && { key: keyPrefix }),
        ...(reason !== undefined && { reason }),
      },
      'request',
    );
  };
}

function loggedParams(query: ParsedUrlQuery): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of LOGGED) {
    const value = query[name];
    if (value !== undefined) {
      params[name] = typeof value === 'string' && LOGGABLE.test(value) ? value : '(odd)';
    }
  }
  return params;
}
