import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Teardown } from '../../helpers/file-teardown.ts';

const MAIN = fileURLToPath(new URL('fake-main.ts', import.meta.url));

export type Command = {
  process: ChildProcess;
  out: () => string;
  err: () => string;
  /** Exit code, or the signal that ended the process. */
  end: Promise<number | string>;
};

/** Starts a command of the fake main, or of `main`, in a separate process. Ends the process at the end of the test. */
export function startCommand(
  t: Teardown,
  args: string[],
  env: Record<string, string>,
  main: string = MAIN,
): Command {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, REDIS_URL: '', ...env },
    // The command gets its own process group, so that a test can send Ctrl-C to the group.
    detached: true,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const end = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  t.teardown(async () => {
    child.kill('SIGTERM');
    await end;
  });
  return { process: child, out: () => out, err: () => err, end };
}

/**
 * Waits until the condition is true; fails the test after `maxWaitMs`. The default is long because machines may be
 * busy.
 */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  maxWaitMs = 480_000,
): Promise<void> {
  const end = Date.now() + maxWaitMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`waited too long: ${what}`);
    await sleep(20);
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
