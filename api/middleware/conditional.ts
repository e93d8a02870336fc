import { crc32 } from 'node:zlib';
import type { Call } from '../call.ts';

/**
 * Returns the ETag of a body: its length and checksum. The ETag is weak, because a compressed body has the same content
 * but other bytes. If a body changes but keeps its length, the ETag stays the same in one of about four billion cases.
 * SHA-256 would avoid this, but takes more than twice the time.
 */
export function etagOf(text: string): string {
  return `W/"${text.length.toString(36)}-${crc32(text).toString(36)}"`;
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
  call: Pick<Call, 'set'>,
  etag: string,
  { nextRefreshAt, now }: { nextRefreshAt: Date | undefined; now: Date },
): void {
  const leftMs = nextRefreshAt === undefined ? 0 : nextRefreshAt.getTime() - now.getTime();
  const ageS = Math.floor(leftMs / 1_000);
  call.set('ETag', etag);
  call.set('Cache-Control', ageS > 0 ? `private, max-age=${ageS}` : 'private, no-cache');
}
