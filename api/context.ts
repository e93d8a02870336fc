import type { Middleware } from 'koa';

/** State that the middlewares of one request share. */
export type ApiState = {
  requestId: string;
  /** Prefix of the checked API key; absent when the key is missing or invalid. */
  keyPrefix?: string;
  /** Whether the answer may be long enough to compress. */
  isCompressible?: boolean;
  /** Set by an endpoint whose successful answer costs nothing after all. */
  isUncharged?: true;
  /** Reason for a 5xx status, for the request log. */
  reason?: string;
};

export type ApiMiddleware = Middleware<ApiState>;
