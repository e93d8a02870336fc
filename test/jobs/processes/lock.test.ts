import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';
import { tryLock, withLock } from '../../../jobs/processes/lock.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('a lock has one holder at a time', async (t) => {
  const file = join(await tempDir(t), 'lock');
  const first = tryLock(file);
  t.is(tryLock(file), undefined);
  first?.release();
  const second = tryLock(file);
  t.not(second, undefined);
  second?.release();
});

test('a holder that is killed leaves no lock behind', async (t) => {
  const file = join(await tempDir(t), 'lock');
  const lockModule = new URL('../../../jobs/processes/lock.ts', import.meta.url).href;
  const script = `const { tryLock } = await import(${JSON.stringify(lockModule)});
    const lock = tryLock(${JSON.stringify(file)}); console.log('locked'); setInterval(() => lock, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(holder.stdout, 'data');
  t.is(tryLock(file), undefined);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const lock = tryLock(file);
  t.not(lock, undefined);
  lock?.release();
});

test('work waits until the lock is released', async (t) => {
  const file = join(await tempDir(t), 'lock');
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push(`${name} ends`);
  };
  await Promise.all([withLock(file, 60_000, work('a')), withLock(file, 60_000, work('b'))]);
  t.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends']);
});

test('waiting too long for a lock is an error', async (t) => {
  const file = join(await tempDir(t), 'lock');
  const lock = tryLock(file);
  await t.throwsAsync(
    withLock(file, 50, async () => undefined),
    { name: 'CommandError' },
  );
  lock?.release();
});
