import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../warehouse/ground/redis-address.ts';
import { round } from '../warehouse/ground/round.ts';
import { createKeyring } from '../warehouse/keyring/keyring.ts';
import { createKeystore } from '../warehouse/keyring/keystore.ts';
import type { BenchResult } from './report.ts';
import { launchRedis } from './stage/redis-process.ts';

/** Keys there are, ten times as many each time. */
const KEYS = [1_000, 10_000, 100_000];
const CALLS = 50_000;
const AT_ONCE = 500;
const OWNER = { name: 'growth', email: 'growth@headwind.example', monthlyLimit: 1_000_000_000 };

/** What keys and calls cost Redis and the archive, from a thousand keys on. */
export async function benchGrowth(log: (line: string) => void): Promise<BenchResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  const server = await launchRedis();
  const redis = openRedisClient(server.url);
  try {
    const rows: BenchResult['rows'] = [];
    const keys: string[] = [];
    const before = await usedMb(redis);
    for (const count of KEYS) {
      log(`${count} keys`);
      await addKeys(redis, keys, count);
      rows.push({
        keys: count,
        'Redis MB': round((await usedMb(redis)) - before, 1),
        ...(await callsCost(redis, keys)),
        ...(await archiveCost(redis, path.join(folder, 'keys.jsonl'))),
      });
    }
    const [first, last] = [rows[0], rows.at(-1)];
    const growth = Number(last?.['Redis µs a call']) / Number(first?.['Redis µs a call']);
    return {
      part: 'growth',
      subject: `keys in one Redis, ${CALLS} calls over all of them, and a copy of all to the archive`,
      rows,
      targets: [
        {
          name: 'a call with 100 times the keys',
          measured: round(growth, 2),
          unit: 'times',
          atMost: 2,
        },
      ],
    };
  } finally {
    redis.disconnect();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function addKeys(redis: Redis, keys: string[], until: number): Promise<void> {
  const keystore = createKeystore(redis, { deadlineMs: 60_000 });
  while (keys.length < until) {
    const some = Array.from({ length: Math.min(AT_ONCE, until - keys.length) }, () =>
      keystore.create(OWNER, 'test', new Date()),
    );
    keys.push(...(await Promise.all(some)).map(({ apiKey }) => apiKey));
  }
}

/** Time of Redis alone that a call takes, by its own account: what is left of its one core bounds the calls. */
async function callsCost(redis: Redis, keys: readonly string[]) {
  const keystore = createKeystore(redis, { deadlineMs: 60_000 });
  await redis.config('RESETSTAT');
  const cpuBefore = await cpuSeconds(redis);
  for (let done = 0; done < CALLS; done += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, at) =>
      keystore.admit(keys[((done + at) * 7_919) % keys.length] ?? '', 1, new Date()),
    );
    await Promise.all(some);
  }
  const us = ((await cpuSeconds(redis)) - cpuBefore) * 1e6;
  return { 'Redis µs a call': round(us / CALLS, 1) };
}

async function archiveCost(redis: Redis, archiveFile: string) {
  const keyring = createKeyring({ redis, archiveFile, now: () => new Date() });
  await keyring.archive();
  const before = process.cpuUsage();
  await keyring.archive();
  const { user, system } = process.cpuUsage(before);
  const { size } = await stat(archiveFile);
  return { 'archive CPU s': round((user + system) / 1e6, 2), 'archive MB': round(size / 1e6, 1) };
}

async function usedMb(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]) / 1e6;
}

async function cpuSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const of = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return of('used_cpu_user') + of('used_cpu_sys');
}
