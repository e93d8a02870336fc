import { hash } from 'node:crypto';
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
  const digest = hash('sha256', body, 'base64url').slice(0, 22);
  return { type, body, etag: `W/"${digest}"`, packed: new Map() };
}

/** How a document is packed that was not packed so before, and from how many bytes on. */
export type Packing = {
  pack: (body: string | Buffer, coding: Coding) => Promise<Buffer>;
  fromBytes: number;
};

const HERE: Packing = {
  pack: (body, coding) => packed(body, coding, EFFORT),
  fromBytes: PACKED_FROM_BYTES,
};

/** Answers with the document and these headers: 304 to who has it, packed for who takes that. */
export async function sendDocument(
  ctx: ParameterizedContext,
  document: PublicDocument,
  headers: Record<string, string>,
  { pack, fromBytes }: Packing = HERE,
): Promise<void> {
  ctx.set({ ...headers, 'X-Content-Type-Options': 'nosniff', ETag: document.etag });
  ctx.vary('Accept-Encoding');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = document.type;
  const isPacked = document.type === 'font/woff2';
  const coding = codingFor(ctx);
  if (isPacked || Buffer.byteLength(document.body) < fromBytes || coding === undefined) {
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
