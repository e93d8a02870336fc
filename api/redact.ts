const MESSAGE_MAX = 2_000;
/** Letters alone hold neither a key (which has an underscore) nor an e-mail address. */
const PLAIN_PATH = /^[A-Za-z/]{1,60}$/;

/** The text without keys (their prefix stays) and e-mail addresses, cut to a bearable length; safe to log. */
export function redact(text: string): string {
  return text
    .slice(0, MESSAGE_MAX)
    .replaceAll(/(hw_(?:live|test)_[0-9A-Za-z]{0,6})[0-9A-Za-z]*/g, '$1…')
    .replaceAll(/[^\s@"'<>=&?/]+@[^\s@"'<>=&?/]+/g, '(e-mail)');
}

/** A request path as it may be logged; escapes are undone first, so they hide nothing. */
export function safePath(path: string): string {
  if (PLAIN_PATH.test(path)) return path;
  try {
    return redact(decodeURIComponent(path)).slice(0, 120);
  } catch {
    return '(undecodable)';
  }
}

/**
 * What went wrong, as it may be logged. Only name, message and stack: errors of Redis also carry the command's
 * arguments, which hold hashes and e-mail addresses.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return { message: redact(String(error)) };
  }
  return {
    name: error.name,
    message: redact(error.message),
    stack: redact(error.stack ?? ''),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
