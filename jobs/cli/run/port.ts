import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { JobsConfig } from '../../config.ts';
import { CommandError } from '../../errors.ts';

/**
 * The port the API can listen on: the one of the settings, or any free one for 0. Says at once, instead of after three
 * tries of the API, that it could not listen there.
 */
export async function freePort({ host, port }: JobsConfig): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    const { port: free } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return free;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new CommandError(
        `Port ${port} is taken by another program: try PORT=${port + 1} make run`,
        { cause },
      );
    }
    throw new CommandError(`Cannot listen on ${host} port ${port}: ${message}`, { cause });
  }
}
