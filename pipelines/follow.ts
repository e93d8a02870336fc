import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { SourceRefusedError } from './errors.ts';
import { checkedLookup, isOurOwn, lookingOnce, type Lookup } from './host-lookup.ts';

export type Exchange = {
  /** Of the address asked for, in messages. */
  name: string;
  method?: 'GET' | 'HEAD';
  headers: Record<string, string>;
  signal: AbortSignal;
  find: Lookup;
  /** Waited for before each request to a host, those after redirects too. */
  untilTurn?: (host: string) => Promise<void>;
};

/** More than a few is a loop. */
const MAX_REDIRECTS = 5;

/**
 * Asks for that address and follows redirects; resolves with the head of the answer, whose body is to be read or destroyed.
 * The address asked for is the operator's choice, and may be in our own network. A redirect is the server's: it leads only to
 * http(s), at most five times, and never into our own network unless it stays on the origin asked for. A host is looked up
 * once, redirects or not, and what is checked is what is connected to: a name that changes its address in between gains nothing.
 * Throws `SourceRefusedError` for what is not fetched, and what node throws for the rest.
 */
export async function follow(url: string, exchange: Exchange): Promise<IncomingMessage> {
  const { name, untilTurn } = exchange;
  const find = lookingOnce(exchange.find);
  const asked = httpUrl(url, name);
  let at = asked;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    await untilTurn?.(at.host);
    const answer = await answerFrom(at, at.origin === asked.origin, { ...exchange, find });
    const { location } = answer.headers;
    if (!isRedirect(answer.statusCode ?? 0) || location === undefined) return answer;
    answer.on('error', () => undefined).destroy();
    at = httpUrl(URL.parse(location, at.href)?.href ?? location, name);
  }
  throw new SourceRefusedError(name, `redirects more than ${MAX_REDIRECTS} times`);
}

/** The headers of an answer, each of several of one name. */
export function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Headers(pairs);
}

/** Why an exchange failed. Trying both kinds of address gives an error without a text, around those of each try. */
export function reasonOf(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] };
  return message || (errors?.map((one) => one.message).join('; ') ?? 'no answer');
}

async function answerFrom(
  url: URL,
  isTrusted: boolean,
  { name, method = 'GET', headers, signal, find }: Exchange,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const check = isTrusted ? () => undefined : (address: string) => refuseOurOwn(name, address);
  // An address needs no look-up, so it is checked here.
  if (isIP(host) > 0) check(host);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(url, {
      method,
      headers: { accept: '*/*', ...headers },
      signal,
      // A connection of its own: one from a pool would skip the check of its address.
      agent: false,
      lookup: checkedLookup(find, check),
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

function refuseOurOwn(name: string, address: string): void {
  if (!isOurOwn(address)) return;
  throw new SourceRefusedError(name, `redirects to ${address}, which is not on the internet`);
}

/** Whether an answer of this status with a `Location` leads elsewhere. */
function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** The address, if it is one of http or https; else throws `SourceRefusedError` about `asked`, which led there. */
function httpUrl(text: string, asked: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const where = url === null ? 'no address' : `a ${url.protocol} address`;
  throw new SourceRefusedError(asked, `leads to ${where}; only http(s) is fetched`);
}
