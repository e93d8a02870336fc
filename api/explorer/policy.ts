/**
 * The Content-Security-Policy of the pages. Pages may load files only from this server and send requests only to it.
 * They must not use inline scripts or styles, or convert text to markup or code.
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
  // With trusted types, only this policy can create script addresses. It allows only the service worker.
  'trusted-types offline',
].join('; ');

/** The policy for pages that other sites may show in a frame. Such pages have no script. */
const FRAME_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors *";

/** The policy for the service worker, which may send requests only to this server. */
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
