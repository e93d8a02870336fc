/** Feeds put whole articles into descriptions; the beginning says what happened. */
const READ_CHARS = 20_000;

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
};

/** The text without markup and control characters, on one line, cut at a word to `maxChars`. */
export function cleanText(html: string, maxChars: number): string {
  // Twice, because titles hold escaped markup; a third layer is shown as it is.
  const plain = decoded(withoutTags(decoded(withoutTags(html.slice(0, READ_CHARS)))));
  const line = withoutTags(plain)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  return `${cut.replace(/\s+\S*$/, '')}…`;
}

/** The address when a reader may follow it, `undefined` for anything but plain http(s). */
export function safeLink(link: string): string | undefined {
  const url = URL.parse(link.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.href.length > 2_000) return undefined;
  return url.href;
}

function withoutTags(text: string): string {
  return text
    .replaceAll(/<(script|style)\b[^<>]*>[^<]*<\/\1\s*>/gi, ' ')
    .replaceAll(/<!\[CDATA\[|\]\]>/g, ' ')
    .replaceAll(/<\/?(a|b|i|u|em|strong|span|font|mark)\b[^<>]*>/gi, '')
    .replaceAll(/<\/?[a-z!?][^<>]*>/gi, ' ');
}

function decoded(text: string): string {
  return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
    const isHex = name[1]?.toLowerCase() === 'x';
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    const isCharacter = code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : ' ';
  });
}
