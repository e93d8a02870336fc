/**
 * `make alerts`: hurts a real service so that each alert of deploy/prometheus fires into a webhook through Alertmanager, and
 * heals it so that it clears; then holds every expression of rules and dashboard against what Prometheus has scraped.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../stage/free-ports.ts';
import { expressions, withoutSeries } from './expressions.ts';
import { harms } from './harms.ts';
import { tellChecks } from './promtool.ts';
import { aKeyOf, aService, aStore, publish } from './service.ts';
import { startWatch } from './watch.ts';

const RULES = new URL('../../deploy/prometheus/rules/headwind.yml', import.meta.url);
const asked = process.argv.slice(2);

const folder = await mkdtemp(path.join(tmpdir(), 'hw-alerts-'));
const [http = 0, otherHttp = 0, api = 0, otherApi = 0, ...rest] = await freePorts(9);
const [worker = 0, prometheus = 0, alertmanager = 0, hook = 0] = rest;
const service = aService(folder, { http: [http, otherHttp], api: [api, otherApi], worker });
await Promise.all([service.disk, service.lake].map((one) => mkdir(one)));
// A disk that can be filled; only root may make one.
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', service.disk]);
const watch = await startWatch(folder, {
  api,
  otherApi,
  worker,
  prometheus,
  alertmanager,
  hook,
});
let failures = 0;
const load = new AbortController();
try {
  service.start('redis');
  await service.redis.connect().catch(() => undefined);
  while (service.redis.status !== 'ready') await sleep(100);
  const { files, flight } = await aStore();
  const apiKey = await aKeyOf(service.redisUrl, 10_000_000);
  const date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const { origin, dest, carrier } = flight;
  const query = new URLSearchParams({ origin, dest, airline: carrier, date });
  const call = (key: string) =>
    fetch(`http://127.0.0.1:${http}/api/score?${query}&api_key=${key}`, {
      signal: AbortSignal.timeout(3_000),
    }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.status;
      },
      () => 0,
    );
  service.start('worker');
  service.start('api');
  const callers = Array.from({ length: 3 }, async () => {
    while (!load.signal.aborted) {
      await call(apiKey);
      await sleep(20);
    }
  });
  const eachUntil = (alerts: string[], status: 'firing' | 'resolved') =>
    Promise.all(alerts.map((alert) => watch.until(alert, status)));
  const all = harms({ service, call, files, publish: (store) => publish(service.redisUrl, store) });
  for (const [alert, { hurt, withIt, heal, after }] of Object.entries(all)) {
    const both = [alert, ...(withIt === undefined ? [] : [withIt])];
    if (asked.length > 0 && !both.some((one) => asked.includes(one))) continue;
    try {
      if (hurt) await watch.until(alert, 'quiet');
      const stop = await hurt?.();
      const fired = await eachUntil(both, 'firing');
      await stop?.();
      await heal?.();
      const cleared = await eachUntil(both, 'resolved');
      for (const [at, one] of both.entries()) {
        console.log(`${one}: fired after ${fired[at]} s, cleared after ${cleared[at]} s`);
      }
      await after?.();
    } catch (error) {
      failures += 1;
      console.log(`${alert}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const names = [...(await readFile(RULES, 'utf8')).matchAll(/- alert: (\w+)/g)].map(
    ([, one]) => one,
  );
  const seen = Object.entries(all).flatMap(([name, { withIt }]) => [name, withIt]);
  const missing = names.filter((name) => !seen.includes(name));
  const empty = await withoutSeries(await expressions(), watch);
  for (const text of [...missing, ...empty]) console.log(`without series or harm: ${text}`);
  failures += missing.length + empty.length + (await tellChecks({ api, worker }));
  load.abort();
  await Promise.all(callers);
} finally {
  load.abort();
  watch.stop();
  service.stop();
  await sleep(500);
  execFileSync('umount', ['-l', service.disk]);
  await rm(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? 'every alert fired and cleared' : `${failures} problems`);
process.exit(failures === 0 ? 0 : 1);
