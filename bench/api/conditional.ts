import { setTimeout as sleep } from 'node:timers/promises';
import { round } from '../../warehouse/ground/numbers.ts';
import { saveForecasts } from '../../warehouse/live/forecasts.ts';
import { buildForecasts, type BenchApi } from './world.ts';

/** Maximum time until the API uses new forecasts. */
const REFRESH_MS = 10_000;
/** Number of calls at a time. */
const AT_ONCE = 50;

/** Calls each path once; returns the ETags of the answers. */
export async function readEtags({ api, paths }: BenchApi): Promise<string[]> {
  const answers = await callAll(api.port, paths, []);
  return answers.map(({ etag }) => etag);
}

/**
 * Replaces all forecasts and repeats all calls. Returns the percentage of calls whose answer is still the same (304).
 */
export async function measureUnchanged(
  world: BenchApi,
  etags: readonly string[],
  seed: string,
): Promise<number> {
  const { api, redis, paths, flights } = world;
  await saveForecasts(redis, buildForecasts(flights, seed));
  await sleep(REFRESH_MS);
  const answers = await callAll(api.port, paths, etags);
  const unchanged = answers.filter(({ status }) => status === 304).length;
  return round((100 * unchanged) / answers.length, 1);
}

async function callAll(port: number, paths: readonly string[], etags: readonly string[]) {
  const answers: { status: number; etag: string }[] = [];
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const some = paths.slice(from, from + AT_ONCE).map(async (path, at) => {
      const etag = etags[from + at];
      const headers = etag === undefined ? {} : { 'if-none-match': etag };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      await answer.arrayBuffer();
      if (![200, 304].includes(answer.status)) throw new Error(`${answer.status} for ${path}`);
      return { status: answer.status, etag: answer.headers.get('etag') ?? '' };
    });
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}
