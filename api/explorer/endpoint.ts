import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';

/** Content of an answer. Flights have their own budget, because each contains many scores. */
export type VisitContent = 'flight' | 'other';

/** A source of page data. The server calls it directly when it draws a page; the browser sends a request. */
export type Endpoint = {
  /** Starts with `/explorer/`. */
  path: string;
  /**
   * `store`: the answer depends only on the store and is cached for each combination of parameters. `now`: the answer
   * is computed for each request.
   */
  restsOn: 'store' | 'now';
  /** The budget that an answer uses; by default `other`. */
  content?: VisitContent;
  /** The parameters of a cached answer, if the answer has parameters. */
  params?: z.ZodObject;
  /**
   * Throws a `RequestError` for a request that cannot be answered. Contacts no service outside this process except
   * Redis.
   */
  answer: (query: ParsedUrlQuery, deps: ApiDeps) => object | Promise<object>;
};
