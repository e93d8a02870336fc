import { gunzipSync } from 'node:zlib';

/** The bytes or the text of a feed are invalid; the message does not name the feed. */
export class FeedError extends Error {
  readonly isFinal = false;
  override readonly name = 'FeedError';
}

/** Largest feed to read, compressed or not; the largest of our feeds has a tenth of this size. */
export const FEED_MAX_BYTES = 2_000_000;

/** Deepest accepted nesting. Feeds nest 6 levels deep; the markup within an Atom entry perhaps 30. */
const MAX_DEPTH = 64;

/**
 * Decodes a feed: decompresses it, and uses the charset of the HTTP header or the XML declaration, or UTF-8. Throws
 * `FeedError` if the text is too large or unreadable, contains a DTD or nests too deep.
 */
export function feedText(bytes: Uint8Array, contentType = ''): string {
  const unpacked = unpack(bytes);
  if (unpacked.byteLength > FEED_MAX_BYTES) {
    throw new FeedError(`larger than ${FEED_MAX_BYTES} bytes`);
  }
  // Skips text before the first tag. XML forbids it, but some feeds have it.
  const text = decode(unpacked, contentType).replace(/^[^<]+/, '');
  refuseTraps(text);
  return text;
}

function unpack(bytes: Uint8Array): Uint8Array {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: FEED_MAX_BYTES });
  } catch (error) {
    throw new FeedError('cannot be decompressed, or is too large', { cause: error });
  }
}

function decode(bytes: Uint8Array, contentType: string): string {
  const head = Buffer.from(bytes.subarray(0, 500)).toString('latin1');
  const declared =
    /charset\s*=\s*["']?([\w-]+)/i.exec(contentType)?.[1] ??
    /<\?xml[^>]*encoding\s*=\s*["']([\w-]+)["']/i.exec(head)?.[1];
  try {
    if (declared !== undefined) return new TextDecoder(declared).decode(bytes);
  } catch (error) {
    throw new FeedError(`unknown charset ${declared}`, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Refuses nesting that would exhaust the parser. Also refuses a document type, because it can declare entities and
 * include files. Checks in one pass, before any parser reads the text. A document type is valid only before the first
 * element. A later document type, for example in a quoted page, declares nothing.
 */
function refuseTraps(text: string): void {
  let depth = 0;
  let isProlog = true;
  for (let at = text.indexOf('<'); at !== -1;) {
    if (text.startsWith('<!--', at)) at = indexAfter(text, '-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) at = indexAfter(text, ']]>', at + 9);
    else if (text.startsWith('<?', at)) at = indexAfter(text, '?>', at + 2);
    else if (text[at + 1] === '!') {
      if (isProlog) throw new FeedError(`declares a document type: ${text.slice(at, at + 40)}`);
      at += 2;
    } else {
      isProlog = false;
      const end = tagEnd(text, at + 1);
      // An end tag without a start tag must not make room for deeper nesting.
      if (text[at + 1] === '/') depth = Math.max(0, depth - 1);
      else if (text[end - 1] !== '/') depth += 1;
      if (depth > MAX_DEPTH) throw new FeedError(`nests ${depth} levels deep`);
      at = end;
    }
    at = text.indexOf('<', at);
  }
}

function indexAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

/** Index of the `>` that ends the tag; any `>` in a quoted value is ignored. */
function tagEnd(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return text.length;
}
