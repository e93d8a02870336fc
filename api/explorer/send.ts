import type { ParameterizedContext } from 'koa';
import { sendDocument, type PublicDocument } from '../routes/public-document.ts';
import { pack } from './drawing-thread.ts';

/** Answers a visitor with the document; it is packed where calls of the API have the processor first. */
export function send(
  ctx: ParameterizedContext,
  document: PublicDocument,
  cacheControl: string,
): Promise<void> {
  return sendDocument(ctx, document, { 'Cache-Control': cacheControl }, pack);
}
