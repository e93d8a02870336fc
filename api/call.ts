import type { IncomingMessage } from 'node:http';
import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { ApiState } from './context.ts';

/** A request as endpoints with a key see it; Koa's context is one. */
export type Call = {
  query: ParsedUrlQuery;
  /** A header; empty when it is not there. */
  get: (header: string) => string;
  state: ApiState;
  res: { setHeader: (name: string, value: string) => unknown };
};

/** All parameters of a query, however many. */
export function readQuery(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** The request as a call, without Koa. */
export function callOf(req: IncomingMessage, res: Call['res'], requestId: string): Call {
  const { url = '' } = req;
  const queryFrom = url.indexOf('?');
  return {
    query: readQuery(queryFrom === -1 ? '' : url.slice(queryFrom + 1)),
    get: (header) => String(req.headers[header.toLowerCase()] ?? ''),
    state: { requestId },
    res,
  };
}
