import type { HttpResponse } from '../http-get.ts';

/** By what a server tells one version of a file from another; both may be missing. */
export type Validator = { etag?: string; lastModified?: string };

export const PAGE_INSTEAD = 'the server answers with a web page instead of a file';

const GONE = new Set([404, 410]);

/**
 * Why the server has no such file, or undefined when it has one. BTS answers some months that are not out
 * with 200 and a web page, so a page counts as no file.
 */
export function absence({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>) {
  if (GONE.has(status)) return `the server answers ${status}`;
  const type = headers.get('content-type') ?? '';
  const isHtml = status === 200 && /^\s*(text\/html|application\/xhtml)/i.test(type);
  return isHtml ? PAGE_INSTEAD : undefined;
}

/** Whether a body that begins so is a web page, whatever its headers say. */
export function isPage(first: Uint8Array | undefined): boolean {
  const text = Buffer.from(first ?? []).toString('latin1', 0, 200);
  return /^(\xEF\xBB\xBF)?\s*<(!doctype|html)/i.test(text);
}

/** The first piece of a body, and the body still whole. */
export async function peek(body: AsyncIterable<Uint8Array>) {
  const pieces = body[Symbol.asyncIterator]();
  const next = await pieces.next();
  const first = next.done ? undefined : next.value;
  async function* whole() {
    if (first === undefined) return;
    yield first;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { first, body: whole() };
}

/** The validators of an answer, those that are there. */
export function validatorOf(headers: Headers): Validator {
  const [etag, lastModified] = [headers.get('etag'), headers.get('last-modified')];
  return { ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) };
}

/** Bytes of the whole file, of which the answer's body begins at `start`; undefined when the server does not tell. */
export function totalBytes({ headers }: Pick<HttpResponse, 'headers'>, start: number) {
  const length = headers.get('content-length');
  return length !== null && /^\d+$/.test(length) ? start + Number(length) : undefined;
}

/** Milliseconds the server asks to be left alone, given in seconds or as a date; undefined when it does not. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const given = headers.get('retry-after');
  if (given === null) return undefined;
  const ms = /^\d+$/.test(given.trim()) ? Number(given) * 1_000 : Date.parse(given) - now;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
