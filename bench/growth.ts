import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../warehouse/ground/redis-address.ts';
import { round } from '../warehouse/ground/numbers.ts';
import { createKeyring } from '../warehouse/keyring/keyring.ts';
import { createKeystore } from '../warehouse/keyring/keystore.ts';
import type { BenchResult } from './report.ts';
import { launchRedis } from './stage/redis-process.ts';

/** Numbers of keys for which time and memory are measured. */
const KEYS = [1_000, 10_000, 100_000];
const CALLS = 50_000;
const BATCH_SIZE = 500;
const OWNER = { name: 'growth', email: 'growth@headwind.example', monthlyLimit: 1_000_000_000 };

/**
 * Measures how much time and memory keys and calls take in Redis and in the archive. The smallest number of keys is a
 * thousand.
 */
export async function benchGrowth(log: (line: string) => void): Promise<BenchResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  const server = await launchRedis();
  const redis = openRedisClient(server.url);
  try {
    const rows: BenchResult['rows'] = [];
    const keys: string[] = [];
    const before = await readUsedMb(redis);
    for (const count of KEYS) {
      log(`${count} keys`);
      await addKeys(redis, keys, count);
      rows.push({
        keys: count,
        'Redis MB': round((await readUsedMb(redis)) - before, 1),
        ...(await measureCalls(redis, keys)),
        ...(await measureArchive(redis, path.join(folder, 'keys.jsonl'))),
      });
    }
    const [first, last] = [rows[0], rows.at(-1)];
    const growth = Number(last?.['Redis µs a call']) / Number(first?.['Redis µs a call']);
    return {
      part: 'growth',
      subject: `keys in one Redis, ${CALLS} calls spread over all keys, and one archive of all keys`,
      rows,
      targets: [
        {
          name: "Redis' CPU per call with 100 times the keys",
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
    const batch = Array.from({ length: Math.min(BATCH_SIZE, until - keys.length) }, () =>
      keystore.create(OWNER, 'test', new Date()),
    );
    keys.push(...(await Promise.all(batch)).map(({ apiKey }) => apiKey));
  }
}

/**
 * Measures the CPU time that Redis needs for a call. Redis uses only one core, so this time limits the calls per
 * second.
 */
async function measureCalls(redis: Redis, keys: readonly string[]) {
  const keystore = createKeystore(redis, { deadlineMs: 60_000 });
  await redis.config('RESETSTAT');
  const cpuBefore = await readCpuSeconds(redis);
  for (let done = 0; done < CALLS; done += BATCH_SIZE) {
    const batch = Array.from({ length: BATCH_SIZE }, (_, at) =>
      keystore.admit(keys[((done + at) * 7_919) % keys.length] ?? '', 1, new Date()),
    );
    await Promise.all(batch);
  }
  const us = ((await readCpuSeconds(redis)) - cpuBefore) * 1e6;
  return { 'Redis µs a call': round(us / CALLS, 1) };
}

async function measureArchive(redis: Redis, archiveFile: string) {
  const keyring = createKeyring({ redis, archiveFile, now: () => new Date() });
  await keyring.archive();
  const before = process.cpuUsage();
  await keyring.archive();
  const { user, system } = process.cpuUsage(before);
  const { size } = await stat(archiveFile);
  return { 'archive CPU s': round((user + system) / 1e6, 2), 'archive MB': round(size / 1e6, 1) };
}

async function readUsedMb(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]) / 1e6;
}

async function readCpuSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const read = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return read('used_cpu_user') + read('used_cpu_sys');
}
