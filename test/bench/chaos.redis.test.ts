import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';

/** Runs a part of chaos, which must succeed; returns its output. */
async function chaos(t: ExecutionContext, part: string, ...args: string[]): Promise<string> {
  const file = fileURLToPath(new URL(`../../bench/chaos/${part}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  t.is(code, 0, err);
  return out;
}

test('a pipeline killed at a random moment and run again ends like one that was not killed', async (t) => {
  const out = await chaos(t, 'pipeline', '--rounds', '1', '--rows', '300', '--seed', '7');
  t.regex(out, /^1 of 1 rounds ended like an undisturbed run/);
});

test('a drop and a restore that are killed lose nothing and end like undisturbed ones', async (t) => {
  const out = await chaos(t, 'undo', '--rounds', '2', '--rows', '300', '--no-publish');
  t.regex(out, /^2 of 2 killed drops and restores lost nothing/);
});
