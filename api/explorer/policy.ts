/**
 * The Content-Security-Policy of a page. The page may load files from this server only, and send requests to this
 * server only. The policy allows no inline script or style, no other site, and no text that becomes markup or code.
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
  // The only trusted-types policy allows the address of the service worker.
  'trusted-types offline',
].join('; ');

/** The policy of pages that other sites may show in a frame. These pages have no script. */
const FRAME_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors *";

/** The policy of the service worker. The worker may send requests to this server only. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Headers of every page. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Headers of a page that other sites may show in a frame. */
export const FRAMABLE_HEADERS = {
  'Content-Security-Policy': FRAME_POLICY,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
};
