import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below those that a system gives to connections: while a server is down, nobody else gets its port. */
const [FIRST, LAST] = [10_000, 32_000];

/** So many ports of loopback that are free now, for programs that must be told one. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = new Map<number, Server>();
  while (servers.size < count) {
    const port = randomInt(FIRST, LAST);
    const server = await listening(port);
    if (server) servers.set(port, server);
  }
  for (const server of servers.values()) server.close();
  await Promise.all([...servers.values()].map((server) => once(server, 'close')));
  return [...servers.keys()];
}

/** None where the port is taken, by us too. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
