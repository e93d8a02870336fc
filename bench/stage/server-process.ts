import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A server in a separate process. */
export type ServerProcess = {
  pid: number;
  port: number;
  /** Ends the server with SIGTERM, as a supervisor does; may be called twice. */
  stop: () => Promise<void>;
};

/** Waits until the process sends its port; rejects if the process ends before it sends a port. */
export async function waitForPort(child: ChildProcess): Promise<ServerProcess> {
  const exit = once(child, 'exit').then(() => undefined);
  const messages = (await Promise.race([once(child, 'message'), exit])) as [{ port: number }?];
  const port = messages?.[0]?.port;
  if (port === undefined || child.pid === undefined) {
    throw new Error('the server ended before it sent its port');
  }
  return { pid: child.pid, port, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
