import type { IncomingMessage } from 'node:http';
import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { ApiState } from './context.ts';

/** A request to an endpoint that requires an API key. Every Koa context also fits this type. */
export type Call = {
  query: ParsedUrlQuery;
  /** Returns a header, or an empty string if the request lacks the header. */
  get: (header: string) => string;
  state: ApiState;
  /** Path parameters, by name. */
  params?: Record<string, string>;
  /** Sets a header of the answer. */
  set: (name: string, value: string) => unknown;
  res: {
    /**
     * True after the connection was reset. Stays false if the caller closes only its sending side, because such a
     * caller still gets an answer.
     */
    readonly destroyed?: boolean;
  };
};

/** Parses a query string without a limit on the number of parameters. */
export function readQuery(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** Creates a call from a request, without Koa. */
export function createCall(
  req: IncomingMessage,
  { res, set }: Pick<Call, 'res' | 'set'>,
  requestId: string,
): Call {
  const { url = '' } = req;
  const queryStart = url.indexOf('?');
  return {
    query: readQuery(queryStart === -1 ? '' : url.slice(queryStart + 1)),
    get: (header) => String(req.headers[header.toLowerCase()] ?? ''),
    state: { requestId },
    set,
    res,
  };
}
