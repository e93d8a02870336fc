import { once } from 'node:events';
import { createServer } from 'node:net';
import type { JobsConfig } from '../../config.ts';
import { CommandError } from '../../errors.ts';

/** Says at once, instead of after three tries of the API, that it could not listen there. */
export async function refuseTakenPort({ host, port }: JobsConfig): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
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
