import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { launchRedis, type RunningRedis } from '../../bench/stage/redis-process.ts';

/** Lends Redis servers to the tests of a run; each server has one borrower at a time. */
export type RedisLender = {
  /** Ends every server. */
  close: () => Promise<void>;
};

/**
 * Listens on the unix socket. A client that connects gets the path of an empty Redis, and may use it until
 * the connection ends; the connection also ends when a test process is killed. There are never more servers
 * than borrowers at one time.
 */
export async function lendRedis(socketPath: string): Promise<RedisLender> {
  const servers: Promise<RunningRedis>[] = [];
  const free: RunningRedis[] = [];
  let isClosing = false;

  const lend = async (borrower: Socket) => {
    const ended = once(borrower, 'close');
    borrower.on('error', () => undefined).resume();
    const server = free.pop() ?? (await start());
    borrower.write(`${server.url}\n`);
    await ended;
    if (isClosing) return;
    await wipe(server.url);
    free.push(server);
  };
  const start = () => {
    const server = launchRedis();
    servers.push(server);
    return server;
  };

  const listener = createServer((borrower) => {
    lend(borrower).catch((error: unknown) => {
      borrower.destroy();
      console.error('could not lend a Redis', error);
    });
  });
  listener.listen(socketPath);
  await once(listener, 'listening');
  return {
    close: async () => {
      isClosing = true;
      listener.close();
      await Promise.allSettled(servers.map(async (server) => (await server).stop()));
    },
  };
}

/** Commands that remove everything a borrower may leave behind: connections, keys and scripts. */
const WIPE = [
  'CLIENT KILL TYPE normal SKIPME yes',
  'CLIENT KILL TYPE pubsub',
  'FLUSHALL SYNC',
  'SCRIPT FLUSH',
];

async function wipe(url: string): Promise<void> {
  const socket = connect(url);
  const replies = text(socket);
  socket.end(WIPE.map((command) => `${command}\r\n`).join(''));
  const output = await replies;
  if (!/^(?::\d+\r\n){2}(?:\+OK\r\n){2}$/.test(output)) {
    throw new Error(`could not wipe a Redis: ${output}`);
  }
}
