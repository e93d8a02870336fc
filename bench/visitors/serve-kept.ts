/**
 * `node serve-kept.ts PORT PAGE QUESTION`: answers everything with what the API on that port has at two paths, packed as it packs
 * it, from memory. What visitors of it cost the API's callers is the machine's doing: the processor they take and the sockets.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

const [port = '', page = '', question = ''] = process.argv.slice(2);
const kept = await Promise.all(
  [page, question].map(async (path) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { Accept: 'text/html,*/*' },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return brotliCompressSync(Buffer.from(await answer.arrayBuffer()));
  }),
);

const server = createServer(({ url }, response) => {
  const body = kept[url?.startsWith('/explorer/') === true ? 1 : 0];
  response.writeHead(200, { 'Content-Encoding': 'br', 'Content-Length': body?.length }).end(body);
}).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.once('SIGTERM', () => process.exit(0));
