import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { ApiState } from '../context.ts';
import { RequestError } from '../errors.ts';
import type { OpsDeps } from './deps.ts';

/** Who looks at the operators' pages. */
export type Visitor = {
  /** For the ledger: the prefix of a key, or `make run`, by whose address they came. */
  name: string;
  keyPrefix?: string;
  /** To come back with whatever changes something. */
  token: () => string;
};

/** What the requests of operators know. */
export type OpsState = ApiState & { visitor: Visitor };

/** What a page is drawn from beside its data. */
export type View = Pick<OpsState, 'visitor'> & {
  query: Record<string, string>;
  params: Record<string, string>;
  now: Date;
};

/** What is kept of a visitor: the key they logged in with, or that they came by the address of `make run`. */
export type OpsSession = { prefix?: string; entered?: true; token?: string };

/** The context with what koa-session puts there. */
export type OpsContext = Context & {
  session: (OpsSession & { regenerate: () => Promise<void> }) | null;
};

/** Who came by the address that `make run` printed. */
const RUN_NAME = 'make run';

/** Who asks; undefined when they are not logged in, or with a key that was switched off since. */
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

/** Refuses what does not come back with the token of the page it was given to. */
export function checkToken(visitor: Visitor, given: unknown): void {
  const token = visitor.token();
  const [wanted, got] = [Buffer.from(token), Buffer.from(typeof given === 'string' ? given : '')];
  if (token === '' || wanted.length !== got.length || !timingSafeEqual(wanted, got)) {
    throw new RequestError(
      403,
      'forbidden',
      'This form is not of your session: load the page again.',
    );
  }
}

/**
 * Refuses what a page of another origin has a browser ask: all that changes something, and parts of pages. A link that is
 * followed from elsewhere to a page is none of it.
 */
export function refuseForeignOrigin({ req, method }: Pick<Context, 'req' | 'method'>): void {
  const site = req.headers['sec-fetch-site'];
  const isVisit = method === 'GET' && req.headers['sec-fetch-mode'] === 'navigate';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isVisit) throw foreign();
  if (method === 'GET' || method === 'HEAD') return;
  const { origin } = req.headers;
  // A program that is no browser says neither.
  if (origin !== undefined && URL.parse(origin)?.hostname !== hostnameOf(req)) throw foreign();
}

function hostnameOf({ headers }: IncomingMessage): string | undefined {
  return URL.parse(`http://${headers.host ?? ''}`)?.hostname;
}

function foreign(): RequestError {
  return new RequestError(403, 'forbidden', 'Nothing is done for pages of other sites.');
}
