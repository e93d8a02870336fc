import type { ParsedUrlQuery } from 'node:querystring';
import type { Logger } from 'pino';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { safePath } from '../redact.ts';
import { sampleRequests } from './request-sample.ts';

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

/** Told of an answer when it is given; the time is that of `performance.now()`. */
export type TellRequest = (request: Answered, startedAt: number) => void;

/** What a line tells of. */
type Answered = {
  method: string;
  path: string;
  query: ParsedUrlQuery;
  state: ApiState;
  status: number;
};

/** Tells of every request. */
export function requestLog(tell: TellRequest): ApiMiddleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    tell(ctx, startedAt);
  };
}

/**
 * Writes a line for a request: path, status, time, key prefix and harmless parameters. Above so many in a second only some
 * have one, which then says of how many it tells (`of`).
 */
export function requestLines(log: Pick<Logger, 'info'>, perSecond: number): TellRequest {
  const sample = sampleRequests(perSecond);
  return ({ method, path, query, state, status }, startedAt) => {
    const endedAt = performance.now();
    const standsFor = sample(status, endedAt);
    if (standsFor === undefined) return;
    const { requestId, keyPrefix, reason } = state;
    log.info(
      {
        id: requestId,
        method,
        path: safePath(path),
        params: loggedParams(query),
        status,
        ms: Math.round(10 * (endedAt - startedAt)) / 10,
        ...(keyPrefix !== undefined && { key: keyPrefix }),
        ...(reason !== undefined && { reason }),
        ...(standsFor > 1 && { of: standsFor }),
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
