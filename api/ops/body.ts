import type { Context } from 'koa';
import { RequestError } from '../errors.ts';

/** The body of a request as text; a request error when it is longer than that or breaks off. */
export async function readBody(ctx: Pick<Context, 'req'>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Who sends too much still gets an answer, which needs the socket.
    for await (const chunk of ctx.req.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new RequestError(400, 'bad_request', 'The request broke off.', { cause });
  }
  if (bytes > maxBytes) throw new RequestError(400, 'bad_request', 'The request is too long.');
  return Buffer.concat(chunks).toString('utf8');
}
