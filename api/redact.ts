const MESSAGE_MAX = 2_000;
/**
 * Paths that contain only small letters and slashes. Such a path contains no key and no e-mail address, not even a part
 * of a key.
 */
const PLAIN_PATH = /^[a-z/]{1,60}$/;

const KEY = /(hw_(?:live|test)_[0-9A-Za-z]{0,6})[0-9A-Za-z]*/;
const EMAIL = /[^\s@"'<>=&?/]+@[^\s@"'<>=&?/]+/;
const [KEYS, EMAILS] = [new RegExp(KEY, 'g'), new RegExp(EMAIL, 'g')];

/** Text that is long enough to reveal part of a key. A key has 26 random small letters, capital letters and digits. */
const FRAGMENT = /[0-9A-Za-z]{16,}/g;

/**
 * Removes keys (except their prefixes) and e-mail addresses, and shortens the text to 2,000 characters. The result is
 * safe to log.
 */
export function redact(text: string): string {
  const short = text.slice(0, MESSAGE_MAX);
  // Most texts contain neither a key nor an e-mail address, for example the flights of a batch.
  if (!short.includes('hw_') && !short.includes('@')) return short;
  return short.replaceAll(KEYS, '$1…').replaceAll(EMAILS, '(e-mail)');
}

/** Whether the text contains a key or the beginning of a key. */
export function containsKey(text: string): boolean {
  return KEY.test(text);
}

/** Whether the text contains a key or an e-mail address. */
export function containsSecret(text: string): boolean {
  return KEY.test(text) || EMAIL.test(text);
}

/**
 * Returns a request path that is safe to log. First decodes all escapes, nested escapes too, because an escape could
 * hide a key.
 */
export function redactPath(path: string): string {
  if (PLAIN_PATH.test(path)) return path;
  try {
    return redact(decodeFully(path)).replaceAll(FRAGMENT, maskFragment).slice(0, 120);
  } catch {
    return '(undecodable)';
  }
}

/** Whether the text may contain a fragment of a key. Other ids use either small or capital letters, not both. */
export function mayContainKeyFragment(text: string): boolean {
  return (text.match(FRAGMENT) ?? []).some((run) => maskFragment(run) !== run);
}

function maskFragment(run: string): string {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) ? '…' : run;
}

/** Throws when an escape is malformed, or when the text is still escaped after `rounds` rounds. */
function decodeFully(text: string, rounds = 4): string {
  const plain = decodeURIComponent(text);
  if (plain === text) return text;
  if (rounds === 0) throw new URIError('too many nested escapes');
  return decodeFully(plain, rounds - 1);
}

/**
 * Returns name, message, stack and cause of an error, safe to log. Drops all other properties, because Redis errors
 * also contain the arguments of the failed command. These arguments may include hashes and e-mail addresses.
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
