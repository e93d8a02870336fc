/**
 * `node serve-cached.ts PORT PAGE DATA`: fetches two answers from the API on PORT, and answers all requests from memory
 * with these two, in the same compression. With visitors on this server, the bench measures how much any server for
 * visitors slows down API callers.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

const [port = '', page = '', data = ''] = process.argv.slice(2);
const bodies = await Promise.all(
  [page, data].map(async (path) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { Accept: 'text/html,*/*' },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return brotliCompressSync(Buffer.from(await answer.arrayBuffer()));
  }),
);

const server = createServer(({ url }, response) => {
  const body = bodies[url?.startsWith('/explorer/') === true ? 1 : 0];
  response.writeHead(200, { 'Content-Encoding': 'br', 'Content-Length': body?.length }).end(body);
}).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.once('SIGTERM', () => process.exit(0));
