import type { ParsedUrlQuery } from 'node:querystring';
import type { Logger } from 'pino';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { redactPath } from '../redact.ts';
import { sampleRequests } from './request-sample.ts';

/** Parameters that are logged; never `api_key`, `name` or `email`. */
const LOGGED_PARAMS = [
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

/**
 * Pattern of the values that are logged. Such values are too short for a key, and have no `@` as in an e-mail address.
 */
const LOGGABLE = /^[0-9A-Za-z:-]{1,12}$/;

/** Logs an answered request. `startedAt` is a time of `performance.now()`. */
export type LogRequest = (request: AnsweredRequest, startedAt: number) => void;

type AnsweredRequest = {
  method: string;
  path: string;
  query: ParsedUrlQuery;
  state: ApiState;
  status: number;
};

/** Logs every request. */
export function requestLog(logRequest: LogRequest): ApiMiddleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    logRequest(ctx, startedAt);
  };
}

/**
 * Returns a function that logs path, status, duration, key prefix and harmless parameters of a request. Above
 * `perSecond` requests per second, it logs only a sample. The field `of` is then the number of requests that one line
 * represents.
 */
export function createRequestLogger(log: Pick<Logger, 'info'>, perSecond: number): LogRequest {
  const sample = sampleRequests(perSecond);
  return ({ method, path, query, state, status }, startedAt) => {
    const endedAt = performance.now();
    const requestCount = sample(status, endedAt);
    if (requestCount === undefined) return;
    const { requestId, keyPrefix, reason } = state;
    log.info(
      {
        id: requestId,
        method,
        path: redactPath(path),
        params: loggedParams(query),
        status,
        ms: Math.round(10 * (endedAt - startedAt)) / 10,
        ...(keyPrefix !== undefined && { key: keyPrefix }),
        ...(reason !== undefined && { reason }),
        ...(requestCount > 1 && { of: requestCount }),
      },
      'request',
    );
  };
}

function loggedParams(query: ParsedUrlQuery): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of LOGGED_PARAMS) {
    const value = query[name];
    if (value !== undefined) {
      params[name] = typeof value === 'string' && LOGGABLE.test(value) ? value : '(odd)';
    }
  }
  return params;
}
