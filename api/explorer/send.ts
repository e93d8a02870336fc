import type { ParameterizedContext } from 'koa';
import { sendDocument, type Packing, type PublicDocument } from '../routes/public-document.ts';
import { pack } from './drawing-thread.ts';

/**
 * Packed where calls of the API have the processor first. What fits, with its headers, the ten packets that leave
 * before the first is acknowledged (RFC 6928) takes no round trip more than packed, and handing it over would take the thread that
 * answers as long as sending it.
 */
const ASIDE: Packing = { pack, fromBytes: 13_000 };

/** Answers a visitor with the document. */
export function send(
  ctx: ParameterizedContext,
  document: PublicDocument,
  cacheControl: string,
): Promise<void> {
  return sendDocument(ctx, document, { 'Cache-Control': cacheControl }, ASIDE);
}
