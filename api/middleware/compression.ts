import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ParameterizedContext } from 'koa';
import type { ApiMiddleware } from '../context.ts';

/**
 * Shorter answers are not compressed, because such answers fit into a few packets and compression would take more time
 * than it saves.
 */
export const COMPRESS_FROM_BYTES = 8_000;

/** Supported codings, best first. */
const CODINGS = ['br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/**
 * Compresses a text on a separate thread. `effort` ranges from 0 to 11; an effort of 5 compresses an answer of 80 kB in
 * about a millisecond.
 */
export async function compress(text: string | Buffer, coding: Coding, effort = 5): Promise<Buffer> {
  if (coding === 'gzip') return zip(text, { level: Math.min(effort, 9) });
  return brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: effort } });
}

/** Compresses long answers in a coding that the caller accepts; considers only answers marked `isCompressible`. */
export function compressAnswers(): ApiMiddleware {
  return async (ctx, next) => {
    await next();
    const text = ctx.body;
    if (ctx.state.isCompressible !== true || ctx.status !== 200 || typeof text !== 'string') return;
    if (Buffer.byteLength(text) < COMPRESS_FROM_BYTES) return;
    ctx.vary('Accept-Encoding');
    const coding = negotiateCoding(ctx);
    if (ctx.method === 'HEAD' || coding === undefined) return;
    ctx.set('Content-Encoding', coding);
    ctx.body = await compress(text, coding);
  };
}

/** Returns the best coding that the caller accepts; undefined when the caller accepts no supported coding. */
export function negotiateCoding(
  ctx: Pick<ParameterizedContext, 'acceptsEncodings'>,
): Coding | undefined {
  return CODINGS.find((coding) => ctx.acceptsEncodings(coding) === coding);
}
