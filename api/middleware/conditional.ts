import { hash } from 'node:crypto';
import type { Call } from '../call.ts';

/** 22 base64 characters are 132 bits of the hash. */
const TAG_CHARS = 22;

/** Returns the ETag of a body. The ETag is weak, because a compressed body has the same content but other bytes. */
export function etagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, TAG_CHARS)}"`;
}

/** Returns whether the header `If-None-Match` contains the ETag. */
export function isSameTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  // A weak ETag (`W/"…"`) and a strong ETag (`"…"`) of the same text match.
  const opaque = etag.replace('W/', '');
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}

/**
 * Sets the ETag and allows caching until the next refresh of the data. Without a known next refresh, caches must
 * revalidate the answer every time.
 */
export function setCacheHeaders(
  { res }: Pick<Call, 'res'>,
  etag: string,
  { nextRefreshAt, now }: { nextRefreshAt: string | undefined; now: Date },
): void {
  const leftMs = nextRefreshAt === undefined ? 0 : Date.parse(nextRefreshAt) - now.getTime();
  const ageS = Math.floor(leftMs / 1_000);
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', ageS > 0 ? `private, max-age=${ageS}` : 'private, no-cache');
}
