import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ExecutionContext } from 'ava';

/** Runs the code in a separate process until the test ends; resolves when it has printed something. */
export async function startNode(t: ExecutionContext, code: string): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}
