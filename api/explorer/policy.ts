/**
 * What a page may do: load and ask what this server has. No inline script or style, no other site, and no text that
 * becomes markup or code, whoever wrote it.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The one policy says where the script lies that answers while the network is gone.
  'trusted-types offline',
].join('; ');

/** The worker that answers while the network is gone asks this server, and nothing else. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Headers of every page. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
};
