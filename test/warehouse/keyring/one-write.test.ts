import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import type { Redis } from 'ioredis';
import { commandsInOneWrite } from '../../../warehouse/keyring/one-write.ts';

/** A connection that keeps what is written to it, one entry for each write to the system. */
function aConnection(status: string) {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk));
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  return { redis: { status, stream } as unknown as Redis, stream, writes };
}

test('commands of one turn of the event loop leave in one write, those of the next in another', async (t) => {
  const { redis, stream, writes } = aConnection('ready');
  const gather = commandsInOneWrite(redis);
  for (const command of ['a', 'b', 'c']) {
    gather();
    stream.write(command);
  }
  t.deepEqual(writes, []);
  await nextTurn();
  t.deepEqual(writes, ['abc']);
  gather();
  stream.write('d');
  await nextTurn();
  t.deepEqual(writes, ['abc', 'd']);
});

test('while the connection is away nothing is gathered', async (t) => {
  const gather = commandsInOneWrite({ status: 'reconnecting' } as Redis);
  t.notThrows(gather);
  await nextTurn();
});
