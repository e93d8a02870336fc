import { constants } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { openLogOutput } from '../../../warehouse/ground/log-output.ts';

/** A disk that writes at most `maxBytes` bytes per call, or fails with `code`. */
function aDisk() {
  const disk = { written: '', maxBytes: Infinity, code: '' };
  const take = (bytes: Buffer) => {
    const taken = bytes.subarray(0, disk.maxBytes);
    disk.written += taken.toString();
    return taken.length;
  };
  const failure = () => {
    const { errno } = constants;
    return disk.code in errno ? Object.assign(new Error(disk.code), { code: disk.code }) : null;
  };
  const writeSync = (_fd: number, bytes: Buffer) => {
    const error = failure();
    if (error) throw error;
    return take(bytes);
  };
  type Done = (error: Error | null, written: number, bytes: Buffer) => void;
  const write = (_fd: number, bytes: Buffer, done: Done) => {
    const error = failure();
    const written = error ? 0 : take(bytes);
    queueMicrotask(() => done(error, written, bytes));
  };
  return Object.assign(disk, { write, writeSync }) as unknown as typeof disk &
    NonNullable<Parameters<typeof openLogOutput>[1]>;
}

test('lines on a full disk are dropped, and their number is reported once there is space', async (t) => {
  const disk = aDisk();
  const losses: [number, string][] = [];
  const output = openLogOutput((lines, { message }) => losses.push([lines, message]), disk);
  output.add('one\n');
  output.flush();
  await setImmediate();
  disk.code = 'ENOSPC';
  output.add('two\nthree\n');
  output.flush();
  await setImmediate();
  output.add('four\n');
  output.flushNow();
  t.deepEqual(losses, []);
  disk.code = '';
  output.add('five\n');
  output.flushNow();
  t.is(disk.written, 'one\n\nfive\n');
  t.deepEqual(losses, [[3, 'ENOSPC']]);
});

test('a slow reader gets all lines, in order', async (t) => {
  const disk = aDisk();
  const output = openLogOutput(() => t.fail(), disk);
  disk.code = 'EAGAIN';
  output.add('one\n');
  output.flush();
  await setImmediate();
  Object.assign(disk, { code: '', maxBytes: 3 });
  output.add('two\n');
  output.flush();
  await setImmediate();
  output.add('three\n');
  output.flushNow();
  t.is(disk.written, 'one\ntwo\nthree\n');
});

test('an urgent line follows the batch that is being written', async (t) => {
  const disk = aDisk();
  const output = openLogOutput(() => t.fail(), disk);
  disk.maxBytes = 2;
  output.add('one\n');
  output.flush();
  output.add('two\n');
  output.flushNow();
  await setImmediate();
  t.is(disk.written, 'one\ntwo\n');
});

test('lines that nobody reads are buffered up to a limit', (t) => {
  const disk = aDisk();
  disk.code = 'EAGAIN';
  const output = openLogOutput(() => t.fail(), disk);
  const line = `${'x'.repeat(999_999)}\n`;
  for (let written = 0; written < 100; written += 1) output.add(line);
  t.true(output.add(line) <= 65_000_000);
});
