import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/**
 * Range of the ports. It lies below the ports that the system assigns to connections. Otherwise, a connection could
 * take the port of a stopped server before the server starts again.
 */
const [FIRST, LAST] = [10_000, 32_000];

/** Returns this many free ports of loopback, for programs that cannot choose their own. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = new Map<number, Server>();
  while (servers.size < count) {
    const port = randomInt(FIRST, LAST);
    const server = await tryListen(port);
    if (server) servers.set(port, server);
  }
  for (const server of servers.values()) server.close();
  await Promise.all([...servers.values()].map((server) => once(server, 'close')));
  return [...servers.keys()];
}

/** Returns undefined if the port is taken. */
async function tryListen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
