import { hash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import {
  negotiateCoding,
  compress,
  COMPRESS_FROM_BYTES,
  type Coding,
} from '../middleware/compression.ts';

/** A public document that is the same for all callers: a page, a script or a description. */
export type PublicDocument = {
  type: string;
  body: string | Buffer;
  etag: string;
  /** Compressed bodies by encoding. Each is created on first request. */
  compressed: Map<Coding, Promise<Buffer>>;
};

/**
 * Effort of the compression. It is higher than for answers, because a document is compressed once and sent often.
 * Compressing still takes less than 0.1 s.
 */
const EFFORT = 6;

/**
 * Creates a document. Its ETag is weak, because compressed and uncompressed bodies have the same content but different
 * bytes.
 */
export function publicDocument(type: string, body: string | Buffer): PublicDocument {
  const digest = hash('sha256', body, 'base64url').slice(0, 22);
  return { type, body, etag: `W/"${digest}"`, compressed: new Map() };
}

/** Browsers may cache the document for five minutes, and pages of any site may read it. */
export const FOR_ANY_SITE = {
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};

/** The function that compresses documents, and the minimum size of compressed documents. */
export type Compression = {
  compress: (body: string | Buffer, coding: Coding) => Promise<Buffer>;
  fromBytes: number;
};

const DEFAULT_COMPRESSION: Compression = {
  compress: (body, coding) => compress(body, coding, EFFORT),
  fromBytes: COMPRESS_FROM_BYTES,
};

/** Types that are already compressed. */
const COMPRESSED_TYPES = ['font/woff2', 'image/png'];

/**
 * Sends the document. Answers 304 if the caller already has this version. Compresses the document if the caller accepts
 * compression.
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
  const coding = negotiateCoding((one) => ctx.acceptsEncodings(one));
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

/** Answers a browser's preflight request. Pages of other sites may then read the document. */
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
