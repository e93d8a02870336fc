import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { JobsConfig } from '../../config.ts';
import { CommandError } from '../../errors.ts';

/**
 * Returns the port in the settings; if it is 0, returns any free port. Throws `CommandError` at once if the port is
 * taken. Otherwise the error would appear only after three starts of the API.
 */
export async function findFreePort({ host, port }: JobsConfig): Promise<number> {
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
        `Port ${port} is in use by another program; try PORT=${port + 1} make run`,
        { cause },
      );
    }
    throw new CommandError(`Cannot listen on ${host} port ${port}: ${message}`, { cause });
  }
}
