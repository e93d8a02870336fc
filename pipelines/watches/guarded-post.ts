import { lookup } from 'node:dns';
import { Agent, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { reasonOf } from '../../warehouse/ground/http-exchange.ts';
import { SourceRefusedError } from '../errors.ts';
import { retryAfterMs } from '../flights/http-answer.ts';
import { headersOf, requestOnce } from '../follow.ts';
import type { Lookup } from '../host-lookup.ts';

/** Posts a message to an address that a caller chose. Throws a `ReceiverError` if no answer arrives. */
export type GuardedPost = (
  url: string,
  message: {
    headers: Record<string, string>;
    body: string;
    /** Whether to read the body of the answer. If not, only the status is read. */
    isBodyNeeded?: boolean;
  },
) => Promise<ReceiverAnswer>;

export type ReceiverAnswer = {
  status: number;
  text: string;
  /** The time for which the receiver wants no request. Absent if the receiver does not name a time. */
  retryAfterMs?: number;
};

/**
 * A receiver did not answer. The caller who chose the receiver sees this message, so it does not contain the address.
 */
export class ReceiverError extends Error {
  readonly isFinal = false;
  override readonly name = 'ReceiverError';
}

export type PostLimits = {
  /** Time limit of the whole exchange. */
  deadlineMs: number;
  /** Hosts (`host:port`) that operators allow although they are in our own network or do not use TLS. */
  allowedHosts: ReadonlySet<string>;
};

/** Maximum number of bytes to read from an answer, enough for the answer to a challenge. */
const MAX_ANSWER_BYTES = 16_384;

/**
 * Returns why an address cannot receive messages; undefined if it can. Passwords are refused, because addresses are
 * shown.
 */
export function findAddressProblem(
  text: string,
  allowedHosts: ReadonlySet<string>,
): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'is not an address';
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password';
  if (url.protocol === 'https:') return undefined;
  const isAllowed = url.protocol === 'http:' && allowedHosts.has(url.host);
  return isAllowed ? undefined : 'must begin with https://';
}

/** Connections to receivers. Several messages use the same connection. */
export type Connections = {
  agentFor: (url: URL) => Agent;
  /** Closes all connections. */
  close: () => void;
};

const AGENT_OPTIONS = { keepAlive: true, maxSockets: 20 };

/**
 * Opens connections for the messages of one account. Close the connections after these messages, because an address is
 * checked only when its connection opens.
 */
export function openConnections(): Connections {
  const agents = { http: new Agent(AGENT_OPTIONS), https: new SecureAgent(AGENT_OPTIONS) };
  return {
    agentFor: ({ protocol }) => (protocol === 'https:' ? agents.https : agents.http),
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/**
 * Creates the function that posts messages. Without `connections`, each message has a connection of its own. The
 * function does not follow redirects. It checks the address when the connection opens, and refuses addresses in our own
 * network. A host therefore cannot show one address to the check and then receive messages at another.
 */
export function createGuardedPost(
  { deadlineMs, allowedHosts }: PostLimits,
  { find = lookup, connections }: { find?: Lookup; connections?: Connections } = {},
): GuardedPost {
  return async (address, { headers, body, isBodyNeeded = false }) => {
    const url = new URL(address);
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const isAllowed = allowedHosts.has(url.host);
      const response = await requestOnce(url, isAllowed, {
        ...{ name: 'the receiver', method: 'POST', signal, find, body },
        ...(connections && { agent: connections.agentFor(url) }),
        headers: { 'user-agent': 'headwind', 'accept-encoding': 'identity', ...headers },
      });
      const status = response.statusCode ?? 0;
      if (!isBodyNeeded) {
        skipBody(response);
        const waitMs = retryAfterMs(headersOf(response), Date.now());
        return { status, text: '', ...(waitMs !== undefined && { retryAfterMs: waitMs }) };
      }
      try {
        return { status, text: await readStart(response) };
      } finally {
        response.on('error', () => undefined).destroy();
      }
    } catch (error) {
      throw new ReceiverError(describe(error, signal, deadlineMs), { cause: error });
    }
  };
}

/**
 * Wraps a function that posts messages. If a receiver answers with `Retry-After`, no message is sent to its host for
 * that time. For further messages, the function returns the same answer at once.
 */
export function respectRetryAfter(post: GuardedPost): GuardedPost {
  const pauses = new Map<string, { untilMs: number; status: number }>();
  return async (url, message) => {
    const { host } = new URL(url);
    const pause = pauses.get(host);
    const leftMs = (pause?.untilMs ?? 0) - Date.now();
    if (pause && leftMs > 0) return { status: pause.status, text: '', retryAfterMs: leftMs };
    const answer = await post(url, message);
    const { status, retryAfterMs: waitMs } = answer;
    if (status >= 300 && waitMs !== undefined) {
      pauses.set(host, { untilMs: Date.now() + waitMs, status });
    }
    return answer;
  };
}

/** Skips a short body, so that the next message can use the connection. A long body closes the connection. */
function skipBody(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) response.destroy();
  });
}

/** Reads the start of a body. The signal of the request also ends this read. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_ANSWER_BYTES);
}

function describe(error: unknown, signal: AbortSignal, deadlineMs: number): string {
  if (signal.aborted) return `the receiver did not answer within ${deadlineMs / 1_000} s`;
  // The message does not contain the IP address of the host, because that would reveal our own network.
  if (error instanceof SourceRefusedError) return 'the address is not on the internet';
  return `the receiver is unreachable: ${reasonOf(error)}`;
}
