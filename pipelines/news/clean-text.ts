/** Maximum length of a description. Some feeds put whole articles into descriptions, but their beginning is enough. */
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

/** Removes markup and control characters; returns one line, cut at a word to at most `maxChars`. */
export function cleanText(html: string, maxChars: number): string {
  // Removes markup twice, because titles contain escaped markup. A third layer is left as text.
  const plain = decodeEntities(stripTags(decodeEntities(stripTags(html.slice(0, READ_CHARS)))));
  const line = stripTags(plain)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (line.length <= maxChars) return line;
  const truncated = line.slice(0, maxChars - 1);
  return `${truncated.replace(/\s+\S*$/, '')}…`;
}

/** Returns the address if it is safe to link to: plain http(s) only; otherwise `undefined`. */
export function safeLink(link: string): string | undefined {
  const url = URL.parse(link.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.href.length > 2_000) return undefined;
  return url.href;
}

function stripTags(text: string): string {
  return text
    .replaceAll(/<(script|style)\b[^<>]*>[^<]*<\/\1\s*>/gi, ' ')
    .replaceAll(/<!\[CDATA\[|\]\]>/g, ' ')
    .replaceAll(/<\/?(a|b|i|u|em|strong|span|font|mark)\b[^<>]*>/gi, '')
    .replaceAll(/<\/?[a-z!?][^<>]*>/gi, ' ');
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
    const isHex = name[1]?.toLowerCase() === 'x';
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    const isCharacter = code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : ' ';
  });
}
