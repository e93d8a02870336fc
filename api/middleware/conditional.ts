import { hash } from 'node:crypto';
import type { Call } from '../call.ts';

/** 22 characters are 132 bits of the hash. */
const TAG_CHARS = 22;

/**
 * Returns the ETag of a body. The ETag is weak, because compressed and uncompressed bodies differ in bytes but not in
 * content.
 */
export function etagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, TAG_CHARS)}"`;
}

/** Whether the header `If-None-Match` names the ETag. */
export function isSameTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  // Both forms of an ETag name the same content.
  const opaque = etag.replace('W/', '');
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}

/**
 * Sets ETag and lifetime of an answer. An answer may change at the next refresh of the data. While the time of this
 * refresh is unknown, caches must revalidate each time.
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
