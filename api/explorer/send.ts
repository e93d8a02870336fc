import type { ParameterizedContext } from 'koa';
import { sendDocument, type Compression, type PublicDocument } from '../routes/public-document.ts';
import { compressInThread } from './drawing-thread.ts';

/**
 * Compresses bodies of at least 13 kB in the drawing thread, so that API calls get the processor first. Smaller bodies
 * are not compressed, because compression would save no round trip. A smaller body and its headers fit into the ten
 * packets that are sent before the first acknowledgement (RFC 6928). Passing the body to the drawing thread would also
 * take the answering thread as long as sending the body.
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
