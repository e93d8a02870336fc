import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';

/** Kind of content. Flights have their own request limit, because each flight page contains many scores. */
export type VisitContent = 'flight' | 'other';

/** Provides the data of a page. The server calls `answer` directly when it draws a page; browsers send a request. */
export type Endpoint = {
  /** Starts with `/explorer/`. */
  path: string;
  /**
   * `store`: the answer depends only on the store, and is cached for each combination of parameters. `now`: the answer
   * is computed for each request.
   */
  restsOn: 'store' | 'now';
  /** The request limit that counts this answer; default `other`. */
  content?: VisitContent;
  /** Schema of the parameters, for endpoints with cached answers. */
  params?: z.ZodObject;
  /**
   * Returns the data. Throws a `RequestError` if the request is invalid. May use Redis, but no other service outside
   * this process.
   */
  answer: (query: ParsedUrlQuery, deps: ApiDeps) => object | Promise<object>;
};
