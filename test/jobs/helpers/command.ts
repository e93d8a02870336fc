import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Teardown } from '../../helpers/with-the-file.ts';

const MAIN = fileURLToPath(new URL('fake-main.ts', import.meta.url));

export type Command = {
  process: ChildProcess;
  out: () => string;
  err: () => string;
  /** Exit code, or the signal that ended it. */
  end: Promise<number | string>;
};

/** Starts a command of the fake main, or of another, as a process of its own; killed at the end of the test when it still runs. */
export function startCommand(
  t: Teardown,
  args: string[],
  env: Record<string, string>,
  main: string = MAIN,
): Command {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, REDIS_URL: '', ...env },
    // A group of its own, so that a test can press Ctrl-C.
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

/** Waits until the condition holds; fails the test after `patienceMs`, which a busy machine may need. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  patienceMs = 180_000,
): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`waited too long: ${what}`);
    await sleep(20);
  }
}

/** Whether a process with that id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
