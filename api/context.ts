import type { Middleware } from 'koa';

/** What the middlewares of one request tell each other. */
export type ApiState = {
  requestId: string;
  /** Of the key that was checked; absent when there was none, or a wrong one. */
  keyPrefix?: string;
  /** The answer may be long enough to be worth packing. */
  mayBeLong?: boolean;
  /** Why the answer is a 5xx, for the request log. */
  reason?: string;
};

export type ApiMiddleware = Middleware<ApiState>;
