import { gunzipSync } from 'node:zlib';

/** What is wrong with the bytes or the text of a feed; says nothing about where it came from. */
export class FeedError extends Error {
  readonly isFinal = false;
  override readonly name = 'FeedError';
}

/** Largest feed read, packed or not; the largest of ours has a tenth of it. */
export const FEED_MAX_BYTES = 2_000_000;

/** Feeds nest 6 deep, the markup of an Atom entry perhaps 30. */
const MAX_DEPTH = 64;

/**
 * The text of a feed: unpacked, in the charset of the HTTP header, the XML declaration, or else UTF-8.
 * Throws `FeedError` for what is too large, cannot be read, brings a DTD or nests too deep.
 */
export function feedText(bytes: Uint8Array, contentType = ''): string {
  const unpacked = unpack(bytes);
  if (unpacked.byteLength > FEED_MAX_BYTES) {
    throw new FeedError(`larger than ${FEED_MAX_BYTES} bytes`);
  }
  // Some feeds have text before the first tag, which XML does not allow.
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
    throw new FeedError('cannot be unpacked, or is too large', { cause: error });
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
 * Refuses a document type, which is where entities are declared and files included, and nesting that would
 * exhaust the parser; one pass, before any parser sees the text. A document type stands before the first element: what
 * looks like one further down, such as that of a page an entry quotes, declares nothing.
 */
function refuseTraps(text: string): void {
  let depth = 0;
  let isProlog = true;
  for (let at = text.indexOf('<'); at !== -1;) {
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) at = after(text, ']]>', at + 9);
    else if (text.startsWith('<?', at)) at = after(text, '?>', at + 2);
    else if (text[at + 1] === '!') {
      if (isProlog) throw new FeedError(`declares a document type: ${text.slice(at, at + 40)}`);
      at += 2;
    } else {
      isProlog = false;
      const end = tagEnd(text, at + 1);
      // An end without a beginning must not make room for more.
      if (text[at + 1] === '/') depth = Math.max(0, depth - 1);
      else if (text[end - 1] !== '/') depth += 1;
      if (depth > MAX_DEPTH) throw new FeedError(`nests ${depth} deep`);
      at = end;
    }
    at = text.indexOf('<', at);
  }
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

/** Where the tag's `>` is; one inside a quoted value does not count. */
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
