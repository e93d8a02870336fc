import type { Middleware } from 'koa';

/** Data of one request that its middlewares share. */
export type ApiState = {
  requestId: string;
  /** Prefix of the API key, set after the check of the key. Absent if the key is missing or invalid. */
  keyPrefix?: string;
  /** Whether the answer is possibly long enough to compress. */
  isCompressible?: boolean;
  /** Set by an endpoint whose answer succeeded but must not be charged. */
  isUncharged?: true;
  /** Reason of a 5xx status, for the log. */
  reason?: string;
};

export type ApiMiddleware = Middleware<ApiState>;
