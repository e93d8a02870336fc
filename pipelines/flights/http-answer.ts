import type { HttpResponse } from '../http-get.ts';

/** Headers that identify the version of a file; a server may send one, both or none of these headers. */
export type Validator = { etag?: string; lastModified?: string };

export const PAGE_MESSAGE = 'the server answers with a web page instead of a file';

const MISSING_STATUSES = new Set([404, 410]);

/**
 * Returns why the server does not have the file; undefined if the server has the file. For some unpublished months BTS
 * answers 200 with a web page, so a web page means that the file is absent.
 */
export function absenceReason({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>) {
  if (MISSING_STATUSES.has(status)) return `the server answers ${status}`;
  const type = headers.get('content-type') ?? '';
  const isHtml = status === 200 && /^\s*(text\/html|application\/xhtml)/i.test(type);
  return isHtml ? PAGE_MESSAGE : undefined;
}

/** Whether a body that starts with these bytes is a web page, whatever its headers are. */
export function isPage(first: Uint8Array | undefined): boolean {
  const text = Buffer.from(first ?? []).toString('latin1', 0, 200);
  return /^(\xEF\xBB\xBF)?\s*<(!doctype|html)/i.test(text);
}

/** Returns the first chunk of a body, and the body including this chunk. */
export async function peek(body: AsyncIterable<Uint8Array>) {
  const chunks = body[Symbol.asyncIterator]();
  const next = await chunks.next();
  const first = next.done ? undefined : next.value;
  async function* replay() {
    if (first === undefined) return;
    yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { first, body: replay() };
}

/** Returns the validators in the headers of a response. */
export function validatorOf(headers: Headers): Validator {
  const [etag, lastModified] = [headers.get('etag'), headers.get('last-modified')];
  return { ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) };
}

/** Returns the size of the whole file for a body that starts at byte `start`; undefined without a content length. */
export function totalBytes({ headers }: Pick<HttpResponse, 'headers'>, start: number) {
  const length = headers.get('content-length');
  return length !== null && /^\d+$/.test(length) ? start + Number(length) : undefined;
}

/** Parses the Retry-After header, in seconds or as a date, to milliseconds; undefined without a valid header. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
