import { readFile, stat } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openSigningKeys } from '../../../api/server/signing-keys.ts';
import {
  addSigningKey,
  generateSigningKey,
  revokeSigningKey,
  signingKeyAt,
  type SigningKey,
} from '../../../warehouse/live/signing-keys.ts';
import { borrowRedis } from '../../helpers/redis.ts';

test('all APIs of a Redis share the signing keys, and a Redis that lost them gets them back', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const dataDir = await mkdtemp(join(tmpdir(), 'hw-signing-'));
  const log = pino({ level: 'silent' });
  const now = () => new Date('2026-03-10T14:00:00Z');
  /** Opens the keys as a starting API does, and closes them. */
  const keysAtStart = async (folder: string) => {
    const signing = openSigningKeys({ redis, dataDir: folder, now, log });
    await signing.refresh();
    await signing.close();
    return signing.keys().map(({ kid }) => kid);
  };
  const first = await keysAtStart(dataDir);
  t.is(first.length, 1);
  t.deepEqual(await keysAtStart(await mkdtemp(join(tmpdir(), 'hw-signing-'))), first);

  const second = generateSigningKey(now());
  await addSigningKey(redis, second);
  const both = [...first, second.kid];
  t.deepEqual(await keysAtStart(dataDir), both);

  await redis.flushdb();
  t.deepEqual(await keysAtStart(dataDir), both);

  await redis.flushdb();
  const [other] = await keysAtStart(await mkdtemp(join(tmpdir(), 'hw-signing-')));
  const all = [...both, other];
  t.deepEqual(await keysAtStart(dataDir), all, 'a machine without the copy came first');
  const file = join(dataDir, 'archive', 'signing-keys.json');
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.true((await readFile(file, 'utf8')).includes(second.kid));
});

test('a Redis that returns from an older dump signs with the newest key again', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const dataDir = await mkdtemp(join(tmpdir(), 'hw-signing-'));
  const [older, newer] = [
    generateSigningKey(new Date('2026-03-10T14:00:00Z')),
    generateSigningKey(new Date('2026-03-10T15:00:00Z')),
  ];
  await addSigningKey(redis, older);
  await addSigningKey(redis, newer);
  const now = new Date('2026-03-10T16:00:00Z');
  const signing = openSigningKeys({
    ...{ redis, dataDir, now: () => now, log: pino({ level: 'silent' }) },
  });
  t.teardown(signing.close);
  await signing.refresh();
  await redis.flushdb();
  await addSigningKey(redis, older);
  await signing.refresh();
  const kids = signing.keys().map(({ kid }) => kid);
  t.deepEqual(kids, [older.kid, newer.kid]);
  t.is(signingKeyAt(signing.keys(), now)?.kid, newer.kid);
});

test('a revoked key stays revoked in a Redis that lost its data, and a valid key replaces it', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const dataDir = await mkdtemp(join(tmpdir(), 'hw-signing-'));
  const now = new Date('2026-03-10T16:00:00Z');
  const open = () => {
    const log = pino({ level: 'silent' });
    const signing = openSigningKeys({ redis, dataDir, now: () => now, log });
    t.teardown(signing.close);
    return signing;
  };
  const signing = open();
  await signing.refresh();
  const [first] = signing.keys();
  const leaked = first?.kid ?? '';
  t.true(await revokeSigningKey(redis, leaked, now));
  t.false(await revokeSigningKey(redis, leaked, new Date('2026-03-11T16:00:00Z')));
  await signing.refresh();
  const statesOf = (keys: readonly SigningKey[]) =>
    Object.fromEntries(keys.map(({ kid, revokedAt }) => [kid, revokedAt]));
  const states = () => statesOf(signing.keys());
  const replacement = signingKeyAt(signing.keys(), now)?.kid;
  const expected = { [leaked]: now.toISOString(), [replacement ?? '']: undefined };
  t.not(replacement, leaked);
  t.deepEqual(states(), expected);

  await redis.flushdb();
  const restarted = open();
  await restarted.refresh();
  t.deepEqual(statesOf(restarted.keys()), expected, 'from the copy in the data folder');
  await redis.flushdb();
  await addSigningKey(redis, first!);
  await signing.refresh();
  t.deepEqual(states(), expected, 'from memory, into an older dump');
});
