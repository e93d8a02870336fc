import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A server in a process of its own. */
export type ServerProcess = {
  pid: number;
  port: number;
  /** Ends it as a supervisor does; may be called twice. */
  stop: () => Promise<void>;
};

/** The server in the process once it tells its port; rejects when it ends before. */
export async function listening(child: ChildProcess): Promise<ServerProcess> {
  const ended = once(child, 'exit').then(() => undefined);
  const said = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }?];
  const port = said?.[0]?.port;
  if (port === undefined || child.pid === undefined) throw new Error('a server did not start');
  return { pid: child.pid, port, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
