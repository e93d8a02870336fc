import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';

/** Runs a part of `make chaos` and returns its output. The part must succeed. */
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

test('a pipeline that is killed at a random moment and run again ends like a pipeline that was not killed', async (t) => {
  const out = await chaos(t, 'pipeline', '--rounds', '1', '--rows', '300', '--seed', '7');
  t.regex(out, /^1 of 1 rounds ended like an undisturbed run/);
});

test('a drop or restore that is killed loses nothing and ends like an undisturbed one', async (t) => {
  const out = await chaos(t, 'undo', '--rounds', '2', '--rows', '300', '--no-publish');
  t.regex(out, /^2 of 2 killed drops and restores lost nothing/);
});
