import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Call } from '../call.ts';
import type { ApiMiddleware } from '../context.ts';

/** Shorter answers fit into a few packets. Compressing them would take more time than it saves. */
export const COMPRESS_FROM_BYTES = 8_000;

/** Supported encodings, best first. */
const CODINGS = ['br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** Compresses a text on another thread. `effort` is from 0 to 11. Effort 5 compresses 80 kB in about a millisecond. */
export async function compress(text: string | Buffer, coding: Coding, effort = 5): Promise<Buffer> {
  if (coding === 'gzip') return zip(text, { level: Math.min(effort, 9) });
  return brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: effort } });
}

/** Compresses long answers if the caller accepts compression. Long answers are marked `isCompressible`. */
export function compressAnswers(): ApiMiddleware {
  return async (ctx, next) => {
    await next();
    const text = ctx.body;
    if (ctx.state.isCompressible !== true || ctx.status !== 200 || typeof text !== 'string') return;
    // The answer to HEAD has no body to compress.
    const accepts: Accepts = (coding) => ctx.method !== 'HEAD' && ctx.acceptsEncodings(coding);
    ctx.body = await compressLong(text, accepts, ctx);
  };
}

/** Returns the encoding if the caller accepts it. */
export type Accepts = (coding: Coding) => string | string[] | false;

/** Returns the text, compressed if it is long and the caller accepts compression. Sets the headers of compression. */
export async function compressLong(
  text: string,
  accepts: Accepts,
  call: Pick<Call, 'set'>,
): Promise<string | Buffer> {
  // A text has at least as many bytes as characters. Counting the bytes takes longer than counting the characters.
  const isLong =
    text.length >= COMPRESS_FROM_BYTES || Buffer.byteLength(text) >= COMPRESS_FROM_BYTES;
  if (!isLong) return text;
  call.set('Vary', 'Accept-Encoding');
  const coding = negotiateCoding(accepts);
  if (coding === undefined) return text;
  const body = await compress(text, coding);
  call.set('Content-Encoding', coding);
  return body;
}

/** Returns the best encoding that the caller accepts; undefined if the caller accepts none of ours. */
export function negotiateCoding(accepts: Accepts): Coding | undefined {
  return CODINGS.find((coding) => accepts(coding) === coding);
}
