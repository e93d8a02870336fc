import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';

/** Where a page gets its data from: the page's own address on the server, a request in the browser. */
export type Endpoint = {
  /** Below `/explorer/`. */
  path: string;
  /** `store`: the answer is the same as long as the store is, and is kept for each question; `now`: worked out each time. */
  restsOn: 'store' | 'now';
  /** The parameters, where an answer that is kept depends on any. */
  question?: z.ZodObject;
  /** Throws a `RequestError` for a question that cannot be answered. Asks nobody outside this process but Redis. */
  answer: (query: ParsedUrlQuery, deps: ApiDeps) => object | Promise<object>;
};
