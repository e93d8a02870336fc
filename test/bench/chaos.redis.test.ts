import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const MAIN = fileURLToPath(new URL('../../bench/chaos/pipeline.ts', import.meta.url));

test('a pipeline killed at a random moment and run again ends like one that was not', async (t) => {
  const chaos = spawn(process.execPath, [MAIN, '--rounds', '1', '--rows', '300', '--seed', '7']);
  let [out, err] = ['', ''];
  chaos.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  chaos.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(chaos, 'close')) as [number | null];
  t.is(code, 0, err);
  t.regex(out, /^1 of 1 rounds end like a calm run/);
});
