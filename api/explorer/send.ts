import type { ParameterizedContext } from 'koa';
import { codingFor, PACKED_FROM_BYTES } from '../middleware/compressed.ts';
import type { PublicDocument } from '../routes/public-document.ts';
import { pack } from './drawing-thread.ts';

/** Answers with the document: 304 to who has it, packed for who takes that. */
export async function send(
  ctx: ParameterizedContext,
  document: PublicDocument,
  cacheControl: string,
): Promise<void> {
  ctx.set({
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
    ETag: document.etag,
  });
  ctx.vary('Accept-Encoding');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = document.type;
  const isPacked = document.type === 'font/woff2';
  const coding = codingFor(ctx);
  if (isPacked || document.body.length < PACKED_FROM_BYTES || coding === undefined) {
    ctx.body = document.body;
    return;
  }
  ctx.set('Content-Encoding', coding);
  const known = document.packed.get(coding) ?? pack(document.body, coding);
  document.packed.set(coding, known);
  try {
    ctx.body = await known;
  } catch (error) {
    document.packed.delete(coding);
    throw error;
  }
}
