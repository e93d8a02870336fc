import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const MAIN = fileURLToPath(new URL('../../bench/chaos/quota.ts', import.meta.url));

test('if a thousand calls reach two API processes at once, exactly the hundred that are left succeed, and no more if Redis is killed', async (t) => {
  const chaos = spawn(process.execPath, [MAIN, '--rounds', '3', '--seed', '7']);
  const [out, err, [code]] = await Promise.all([
    text(chaos.stdout),
    text(chaos.stderr),
    once(chaos, 'close') as Promise<[number | null]>,
  ]);
  t.is(code, 0, err);
  t.regex(
    out,
    /^3 of 3 rounds allowed exactly 100 of 1000 calls on 8 connections to 2 processes$/m,
  );
  t.regex(out, /^3 of 3 rounds with Redis killed allowed no call too many/m);
});
