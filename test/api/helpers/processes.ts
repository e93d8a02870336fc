import type { ExecutionContext } from 'ava';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type ApiProcess } from '../../../bench/stage/api-process.ts';
import { saveToRedis } from '../../../warehouse/store/redis.ts';
import { someStoreFiles } from '../../helpers/store-files.ts';
import { aKeystore } from './keystore.ts';

/** Starts API processes on one Redis with a small store; they end with the test. */
export async function apiProcesses(t: ExecutionContext, redisUrl: string, count: number) {
  const { keys, redis } = await aKeystore(t, redisUrl);
  await saveToRedis(redis, await someStoreFiles());
  const folder = await mkdtemp(join(tmpdir(), 'hw-apis-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const apis = await Promise.all(
    Array.from({ length: count }, (_, at) => anApiProcess(t, redisUrl, join(folder, `${at}`))),
  );
  await Promise.all(apis.map((api) => api.untilHealthy()));
  return { keys, redis, apis };
}

/** Returns the status of `/api/score` for a valid flight in three days. */
export async function scoreStatus({ port }: ApiProcess, apiKey: string): Promise<number> {
  const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const query = `origin=JFK&dest=LAX&airline=DL&date=${date}&api_key=${apiKey}`;
  const answer = await fetch(`http://127.0.0.1:${port}/api/score?${query}`, {
    signal: AbortSignal.timeout(60_000),
  });
  await answer.body?.cancel();
  return answer.status;
}

async function anApiProcess(
  t: ExecutionContext,
  redisUrl: string,
  dataDir: string,
): Promise<ApiProcess> {
  const api = await startApi({ REDIS_URL: redisUrl, DATA_DIR: dataDir });
  t.teardown(api.stop);
  return api;
}
