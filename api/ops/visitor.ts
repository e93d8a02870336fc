import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { ApiState } from '../context.ts';
import { RequestError } from '../errors.ts';
import type { OpsDeps } from './deps.ts';

/** A visitor of the operators' pages. */
export type Visitor = {
  /** Name for the ledger: a key prefix, or `make run` for visitors who opened the address that `make run` printed. */
  name: string;
  keyPrefix?: string;
  /** Returns the token that every form must contain. */
  token: () => string;
};

/** State of a request to the operators' pages. */
export type OpsState = ApiState & { visitor: Visitor };

/** Input of every page besides its own data. */
export type View = Pick<OpsState, 'visitor'> & {
  query: Record<string, string>;
  params: Record<string, string>;
  now: Date;
};

/**
 * Session of a visitor. `prefix` is the prefix of the visitor's key. `entered` marks visitors who opened the address
 * that `make run` printed.
 */
export type OpsSession = { prefix?: string; entered?: true; token?: string };

/** Koa's context with the session of koa-session. */
export type OpsContext = Context & {
  session: (OpsSession & { regenerate: () => Promise<void> }) | null;
};

/** Name of visitors who opened the address that `make run` printed. */
const RUN_NAME = 'make run';

/** Returns the visitor; undefined if nobody is logged in, or if the visitor's key was deactivated. */
export async function visitorOf(
  { session }: Pick<OpsContext, 'session'>,
  { isAdmin, now }: Pick<OpsDeps, 'isAdmin' | 'now'>,
): Promise<Visitor | undefined> {
  if (!session) return undefined;
  const { prefix, entered } = session;
  const token = () => tokenOf(session);
  if (prefix === undefined) return entered ? { name: RUN_NAME, token } : undefined;
  return (await isAdmin(prefix, now())) ? { name: prefix, keyPrefix: prefix, token } : undefined;
}

function tokenOf(session: OpsSession): string {
  session.token ??= randomBytes(24).toString('base64url');
  return session.token;
}

/** Throws a 403 if the form does not contain the session's token. */
export function checkToken(visitor: Visitor, value: unknown): void {
  const token = visitor.token();
  const [expected, actual] = [
    Buffer.from(token),
    Buffer.from(typeof value === 'string' ? value : ''),
  ];
  if (token === '' || expected.length !== actual.length || !timingSafeEqual(expected, actual)) {
    throw new RequestError(
      403,
      'forbidden',
      'This form belongs to another session. Reload the page and try again.',
    );
  }
}

/**
 * Throws a 403 for requests from other sites. Only GET requests that load a whole page are allowed, because other sites
 * may link to the pages.
 */
export function refuseForeignOrigin({ req, method }: Pick<Context, 'req' | 'method'>): void {
  const site = req.headers['sec-fetch-site'];
  const isVisit = method === 'GET' && req.headers['sec-fetch-mode'] === 'navigate';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isVisit) {
    throw foreignOriginError();
  }
  if (method === 'GET' || method === 'HEAD') return;
  const { origin } = req.headers;
  // A request without these two headers comes from a program that is not a browser.
  if (origin !== undefined && URL.parse(origin)?.hostname !== hostnameOf(req)) {
    throw foreignOriginError();
  }
}

function hostnameOf({ headers }: IncomingMessage): string | undefined {
  return URL.parse(`http://${headers.host ?? ''}`)?.hostname;
}

function foreignOriginError(): RequestError {
  return new RequestError(403, 'forbidden', 'Requests from pages of other sites are refused.');
}
