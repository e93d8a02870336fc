import { createHash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import { codingFor, packed, PACKED_FROM_BYTES, type Coding } from '../middleware/compressed.ts';

/** Something anyone may read, the same for all: a page, a script, a description. */
export type PublicDocument = {
  type: string;
  body: string | Buffer;
  etag: string;
  /** What it is packed to, once somebody has asked for it. */
  packed: Map<Coding, Promise<Buffer>>;
};

/** Packed once and sent often: worth some more effort, and still done within a tenth of a second. */
const EFFORT = 6;

/** A document of that content. The tag is weak, as packed and not it is the same to the reader, if not to the byte. */
export function publicDocument(type: string, body: string | Buffer): PublicDocument {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { type, body, etag: `W/"${digest}"`, packed: new Map() };
}

/** Answers with the document: 304 to who has it, packed for who takes that, and readable by the pages of any site. */
export async function sendDocument(
  ctx: ParameterizedContext,
  document: PublicDocument,
  maxAgeS: number,
): Promise<void> {
  ctx.set({ 'Cache-Control': `public, max-age=${maxAgeS}`, 'X-Content-Type-Options': 'nosniff' });
  ctx.set({ 'Access-Control-Allow-Origin': '*', ETag: document.etag });
  ctx.vary('Accept-Encoding');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = document.type;
  const coding = codingFor(ctx);
  if (Buffer.byteLength(document.body) < PACKED_FROM_BYTES || coding === undefined) {
    ctx.body = document.body;
    return;
  }
  ctx.set('Content-Encoding', coding);
  const known = document.packed.get(coding) ?? packed(document.body, coding, EFFORT);
  document.packed.set(coding, known);
  ctx.body = await known;
}

/** Answers a browser that asks what pages of other sites may do here: read. */
export function allowReading(ctx: ParameterizedContext): void {
  ctx.set({
    Allow: 'GET, HEAD, OPTIONS',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Max-Age': '86400',
    'Cache-Control': 'public, max-age=86400',
  });
  ctx.status = 204;
}
