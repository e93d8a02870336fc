import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { ApiState } from '../context.ts';
import { RequestError } from '../errors.ts';
import type { OpsDeps } from './deps.ts';

/** Who looks at the operators' pages. */
export type Visitor = {
  /** For the ledger: the prefix of a key, or that it was somebody on this machine. */
  name: string;
  isLoggedIn: boolean;
  /** To come back with whatever changes something; asked for, it begins a session where there is none. */
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

/** What is kept of a visitor. */
export type OpsSession = { prefix?: string; token?: string };

/** The context with what koa-session puts there. */
export type OpsContext = Context & {
  session: (OpsSession & { regenerate: () => Promise<void> }) | null;
};

const LOCAL_NAME = 'somebody on this machine';
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;
/** Headers by which proxies say that they pass on what another asks. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|(?:x-|true-)?client-ip|x-cluster-client-ip|x-origin.*|cf-.*|fastly-.*)$/;

/**
 * Whether this comes from a program of this machine itself: from a loopback address, under a loopback name, so that no page
 * that was led here under a name of its own counts, and without a sign of a proxy. Proxies that leave no sign tend to speak
 * HTTP/1.0.
 */
export function isFromHere({ socket, headers, httpVersion }: IncomingMessage): boolean {
  return (
    httpVersion !== '1.0' &&
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => FORWARDED.test(name))
  );
}

/** Who asks; undefined when they may not. A key that was switched off ends its sessions. */
export async function visitorOf(
  ctx: OpsContext,
  { opensToLocal, isAdmin, now }: Pick<OpsDeps, 'opensToLocal' | 'isAdmin' | 'now'>,
): Promise<Visitor | undefined> {
  const { session } = ctx;
  const prefix = session?.prefix;
  if (session && prefix !== undefined) {
    if (await isAdmin(prefix, now())) {
      return { name: prefix, isLoggedIn: true, token: () => tokenOf(session) };
    }
    ctx.session = null;
  }
  if (!opensToLocal || !isFromHere(ctx.req)) return undefined;
  // One that has just been ended: the next request begins another.
  const local = ctx.session;
  return { name: LOCAL_NAME, isLoggedIn: false, token: () => (local ? tokenOf(local) : '') };
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
