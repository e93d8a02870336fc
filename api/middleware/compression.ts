import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ParameterizedContext } from 'koa';
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
    if (Buffer.byteLength(text) < COMPRESS_FROM_BYTES) return;
    ctx.vary('Accept-Encoding');
    const coding = negotiateCoding(ctx);
    if (ctx.method === 'HEAD' || coding === undefined) return;
    ctx.set('Content-Encoding', coding);
    ctx.body = await compress(text, coding);
  };
}

/** Returns the best encoding that the caller accepts; undefined if the caller accepts none of ours. */
export function negotiateCoding(
  ctx: Pick<ParameterizedContext, 'acceptsEncodings'>,
): Coding | undefined {
  return CODINGS.find((coding) => ctx.acceptsEncodings(coding) === coding);
}
