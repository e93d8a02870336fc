const MESSAGE_MAX = 2_000;
/** Small letters alone hold neither a key, nor a piece of one, nor an e-mail address. */
const PLAIN_PATH = /^[a-z/]{1,60}$/;

const KEY = /(hw_(?:live|test)_[0-9A-Za-z]{0,6})[0-9A-Za-z]*/;
const EMAIL = /[^\s@"'<>=&?/]+@[^\s@"'<>=&?/]+/;
const [KEYS, EMAILS] = [new RegExp(KEY, 'g'), new RegExp(EMAIL, 'g')];

/** Long enough to be a piece of a key that matters: its 26 random characters are small and capital letters and digits. */
const RUN = /[0-9A-Za-z]{16,}/g;

/** The text without keys (their prefix stays) and e-mail addresses, cut to a bearable length; safe to log. */
export function redact(text: string): string {
  return text.slice(0, MESSAGE_MAX).replaceAll(KEYS, '$1…').replaceAll(EMAILS, '(e-mail)');
}

/** Whether a key, or the beginning of one, is in the text. */
export function holdsKey(text: string): boolean {
  return KEY.test(text);
}

/** Whether a key or an e-mail address is in the text. */
export function holdsSecret(text: string): boolean {
  return KEY.test(text) || EMAIL.test(text);
}

/** A request path as it may be logged; escapes are undone first, also escapes of escapes, so they hide nothing. */
export function safePath(path: string): string {
  if (PLAIN_PATH.test(path)) return path;
  try {
    return redact(unescaped(path)).replaceAll(RUN, hidden).slice(0, 120);
  } catch {
    return '(undecodable)';
  }
}

/** Whether a piece of a key may be in the text: ids of other making keep to small or to capital letters. */
export function mayHoldKeyPiece(text: string): boolean {
  return (text.match(RUN) ?? []).some((run) => hidden(run) !== run);
}

function hidden(run: string): string {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) ? '…' : run;
}

/** Throws when the text is no proper escape, or is still one after a few rounds. */
function unescaped(text: string, rounds = 4): string {
  const plain = decodeURIComponent(text);
  if (plain === text) return text;
  if (rounds === 0) throw new URIError('escaped too often');
  return unescaped(plain, rounds - 1);
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
