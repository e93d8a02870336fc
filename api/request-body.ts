import type { Context } from 'koa';
import { RequestError } from './errors.ts';

/** Reads the body of a request as text. Throws a 400 if the body is too long or incomplete. */
export async function readBody(ctx: Pick<Context, 'req'>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Keep the socket open after an error, so that the caller still gets a response.
    for await (const chunk of ctx.req.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new RequestError(400, 'bad_request', 'The request is incomplete.', { cause });
  }
  if (bytes > maxBytes) throw new RequestError(400, 'bad_request', 'The request is too long.');
  return Buffer.concat(chunks).toString('utf8');
}
