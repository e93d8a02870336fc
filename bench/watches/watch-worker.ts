import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const CHILD = path.join(import.meta.dirname, 'worker-child.ts');

export type WatchWorkerOptions = {
  redisUrl: string;
  dataDir: string;
  /** Hosts of the receivers, separated by commas. */
  hosts: string;
  /** `fast`: short waits. `real`: the waits of a real worker. */
  profile: 'fast' | 'real';
  /** The clock of the worker; see `setWorkerClock`. Default: the real time. */
  clock?: Date;
};

/** Starts a worker of watches in its own process. */
export async function startWatchWorker({
  redisUrl,
  dataDir,
  hosts,
  profile,
  clock,
}: WatchWorkerOptions): Promise<ChildProcess> {
  const args = [redisUrl, dataDir, hosts, profile, ...(clock ? [String(clock.getTime())] : [])];
  // The worker runs in its own session, like the worker of a service.
  const child = fork(CHILD, args, { silent: true, detached: true });
  child.stderr?.pipe(process.stderr);
  const ended = once(child, 'exit').then(() => {
    throw new Error('the worker ended before it was ready');
  });
  await Promise.race([once(child.stdout!, 'data'), ended]);
  ended.catch(() => undefined);
  return child;
}

/** Sets the clock of a worker, and waits until the worker uses it. */
export async function setWorkerClock(worker: ChildProcess, at: Date): Promise<void> {
  const isSet = once(worker, 'message');
  worker.send(at.getTime());
  await isSet;
}

/** Kills a worker, unless it has ended. */
export async function killWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const ended = once(worker, 'exit');
  worker.kill('SIGKILL');
  await ended;
}
