import { hash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import {
  negotiateCoding,
  compress,
  COMPRESS_FROM_BYTES,
  type Coding,
} from '../middleware/compression.ts';

/** A public document, identical for all callers: a page, a script or a description. */
export type PublicDocument = {
  type: string;
  body: string | Buffer;
  etag: string;
  /** Compressed bodies by coding, created on the first request. */
  compressed: Map<Coding, Promise<Buffer>>;
};

/**
 * A document is compressed once and sent often, so the effort is higher than for an answer. The compression still takes
 * less than a tenth of a second.
 */
const EFFORT = 6;

/**
 * Creates a document. The ETag of the document is weak, because compressed and uncompressed bodies differ in bytes but
 * not in content.
 */
export function publicDocument(type: string, body: string | Buffer): PublicDocument {
  const digest = hash('sha256', body, 'base64url').slice(0, 22);
  return { type, body, etag: `W/"${digest}"`, compressed: new Map() };
}

/** Browsers may cache a document for five minutes, because it changes rarely. Pages of any site may read the document. */
export const FOR_ANY_SITE = {
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};

/** The compression function, and the smallest size that is compressed. */
export type Compression = {
  compress: (body: string | Buffer, coding: Coding) => Promise<Buffer>;
  fromBytes: number;
};

const DEFAULT_COMPRESSION: Compression = {
  compress: (body, coding) => compress(body, coding, EFFORT),
  fromBytes: COMPRESS_FROM_BYTES,
};

/** Types whose format is compressed already. */
const COMPRESSED_TYPES = ['font/woff2', 'image/png'];

/**
 * Answers with the document and the headers. Answers 304 when the caller has the current version, and compresses the
 * document when the caller accepts compression.
 */
export async function sendDocument(
  ctx: ParameterizedContext,
  document: PublicDocument,
  headers: Record<string, string>,
  compression: Compression = DEFAULT_COMPRESSION,
): Promise<void> {
  ctx.set({ ...headers, 'X-Content-Type-Options': 'nosniff', ETag: document.etag });
  ctx.vary('Accept-Encoding');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = document.type;
  const isCompressed = COMPRESSED_TYPES.includes(document.type);
  const isShort = Buffer.byteLength(document.body) < compression.fromBytes;
  const coding = negotiateCoding(ctx);
  if (isCompressed || isShort || coding === undefined) {
    ctx.body = document.body;
    return;
  }
  ctx.set('Content-Encoding', coding);
  const { compressed } = document;
  const body = compressed.get(coding) ?? compression.compress(document.body, coding);
  compressed.set(coding, body);
  try {
    ctx.body = await body;
  } catch (error) {
    compressed.delete(coding);
    throw error;
  }
}

/** Answers a preflight request of a browser, so that pages of other sites may read the document. */
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
