import { constants } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { openLogOutput } from '../../../warehouse/ground/log-output.ts';

/** A disk that takes so many bytes in one go, or fails with that code. */
function aDisk() {
  const disk = { written: '', takes: Infinity, code: '' };
  const take = (bytes: Buffer) => {
    const taken = bytes.subarray(0, disk.takes);
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

test('lines without room are lost, and how many is told once there is room', async (t) => {
  const disk = aDisk();
  const told: [number, string][] = [];
  const output = openLogOutput((lines, { message }) => told.push([lines, message]), disk);
  output.add('one\n');
  output.flush();
  await setImmediate();
  disk.code = 'ENOSPC';
  output.add('two\nthree\n');
  output.flush();
  await setImmediate();
  output.add('four\n');
  output.flushNow();
  t.deepEqual(told, []);
  disk.code = '';
  output.add('five\n');
  output.flushNow();
  t.is(disk.written, 'one\n\nfive\n');
  t.deepEqual(told, [[3, 'ENOSPC']]);
});

test('a reader that is behind loses nothing, in the order of the lines', async (t) => {
  const disk = aDisk();
  const output = openLogOutput(() => t.fail(), disk);
  disk.code = 'EAGAIN';
  output.add('one\n');
  output.flush();
  await setImmediate();
  Object.assign(disk, { code: '', takes: 3 });
  output.add('two\n');
  output.flush();
  await setImmediate();
  output.add('three\n');
  output.flushNow();
  t.is(disk.written, 'one\ntwo\nthree\n');
});

test('a warning comes after the batch that is being written, not into it', async (t) => {
  const disk = aDisk();
  const output = openLogOutput(() => t.fail(), disk);
  disk.takes = 2;
  output.add('one\n');
  output.flush();
  output.add('two\n');
  output.flushNow();
  await setImmediate();
  t.is(disk.written, 'one\ntwo\n');
});

test('lines that nobody reads are kept up to a bound', (t) => {
  const disk = aDisk();
  disk.code = 'EAGAIN';
  const output = openLogOutput(() => t.fail(), disk);
  const line = `${'x'.repeat(999_999)}\n`;
  for (let written = 0; written < 100; written += 1) output.add(line);
  t.true(output.add(line) <= 65_000_000);
});
