import type { ParameterizedContext } from 'koa';
import { sendDocument, type Compression, type PublicDocument } from '../routes/public-document.ts';
import { compressInThread } from './drawing-thread.ts';

/**
 * Compresses bodies from 13 kB on in the drawing thread, so that API calls get the processor first. A smaller body
 * fits, with its headers, into the ten packets sent before the first acknowledgement (RFC 6928), so compression saves
 * no round trip. Passing the body to the thread would occupy the answering thread as long as sending it.
 */
const COMPRESSION: Compression = { compress: compressInThread, fromBytes: 13_000 };

/** Sends the document to a visitor. */
export function send(
  ctx: ParameterizedContext,
  document: PublicDocument,
  cacheControl: string,
): Promise<void> {
  return sendDocument(ctx, document, { 'Cache-Control': cacheControl }, COMPRESSION);
}
