import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { reasonOf } from '../../warehouse/ground/http-exchange.ts';
import { SourceRefusedError } from '../errors.ts';
import { requestOnce } from '../follow.ts';
import type { Lookup } from '../host-lookup.ts';

/** Posts a message to an address that a caller chose. Throws a `ReceiverError` if no answer arrives. */
export type GuardedPost = (
  url: string,
  message: {
    headers: Record<string, string>;
    body: string;
    /** Whether to read the body of the answer; otherwise only its status. */
    isBodyNeeded?: boolean;
  },
) => Promise<ReceiverAnswer>;

export type ReceiverAnswer = { status: number; text: string };

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

/**
 * Creates the function that posts messages. Does not follow redirects. Checks the address when the connection opens,
 * and refuses addresses in our own network. A host therefore cannot pass the check with one address and receive with
 * another.
 */
export function createGuardedPost(
  { deadlineMs, allowedHosts }: PostLimits,
  find: Lookup = lookup,
): GuardedPost {
  return async (address, { headers, body, isBodyNeeded = false }) => {
    const url = new URL(address);
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const isAllowed = allowedHosts.has(url.host);
      const response = await requestOnce(url, isAllowed, {
        ...{ name: 'the receiver', method: 'POST', signal, find, body },
        headers: { 'user-agent': 'headwind', 'accept-encoding': 'identity', ...headers },
      });
      try {
        const text = isBodyNeeded ? await readStart(response) : '';
        return { status: response.statusCode ?? 0, text };
      } finally {
        response.on('error', () => undefined).destroy();
      }
    } catch (error) {
      throw new ReceiverError(describe(error, signal, deadlineMs), { cause: error });
    }
  };
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
