import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';

/**
 * Maximum number of flights on a page. With this maximum, two hundred visits to any page fit into the daily limit of a
 * visitor.
 */
export const MAX_FLIGHTS = 10;

/** Provides the data of a page. The server calls `answer` directly when it draws a page; browsers send a request. */
export type Endpoint<Body extends object = object> = {
  /** Starts with `/explorer/`. */
  path: string;
  /**
   * `store`: the answer depends only on the store, and is cached for each combination of parameters. `now`: the answer
   * is computed for each request.
   */
  restsOn: 'store' | 'now';
  /**
   * Returns the maximum number of flights in the answer to a query, at most `MAX_FLIGHTS`. The visitor's daily limit
   * counts these flights. Without this function, the number is 0.
   */
  flights?: (query: ParsedUrlQuery) => number;
  /**
   * Returns a text for each flight in the answer, with the figures that the page shows. The daily limit counts equal
   * texts only once. If a page refreshes itself, only changed flights are therefore counted again. Without this
   * function, each answer counts as many flights as `flights` returns.
   */
  flightTexts?(answer: Body): string[];
  /** Schema of the parameters, for endpoints with cached answers. */
  params?: z.ZodObject;
  /**
   * Returns the data. Throws a `RequestError` if the request is invalid. May use Redis, but no other service outside
   * this process.
   */
  answer: (query: ParsedUrlQuery, deps: ApiDeps) => Body | Promise<Body>;
};
