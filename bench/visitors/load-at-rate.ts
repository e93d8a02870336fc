import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadResult } from '../api/load.ts';

export type Pace = { port: number; paths: string[]; perSecond: number; ms: number };

/** Sends this many calls a second without waiting for earlier answers, as independent callers do. */
export async function loadAtRate({ port, paths, perSecond, ms }: Pace): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const latencies: number[] = [];
  const calls: Promise<void>[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const call = async (path: string) => {
    const sentAt = performance.now();
    const isGood = await sendRequest(port, path, agent).catch(() => false);
    latencies.push(performance.now() - sentAt);
    if (!isGood) errors += 1;
  };
  for (let elapsedMs = 0; elapsedMs < ms; elapsedMs = performance.now() - startedAt) {
    const dueCount = Math.floor((elapsedMs * perSecond) / 1_000);
    while (calls.length < dueCount) calls.push(call(paths[calls.length % paths.length] ?? ''));
    await sleep(1);
  }
  await Promise.all(calls);
  agent.destroy();
  const seconds = (performance.now() - startedAt) / 1_000;
  const sorted = Float64Array.from(latencies).toSorted();
  return { requests: latencies.length, seconds, errors, unchanged: 0, latencies: sorted };
}

function sendRequest(port: number, path: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode === 200)).on('error', reject);
      answer.resume();
    })
      .on('error', reject)
      .end();
  });
}
