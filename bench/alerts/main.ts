/**
 * `make alerts`: harms a real service until each alert of deploy/prometheus reaches a webhook through Alertmanager, and
 * then repairs the service until the alert clears. Then checks that every expression of rules and dashboard has a
 * series in Prometheus.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../stage/free-ports.ts';
import { expressions, withoutSeries } from './expressions.ts';
import { harms } from './harms.ts';
import { printPromtoolChecks } from './promtool.ts';
import { createKey, createService, buildStore, publish, SMALL_DISK } from './service.ts';
import { startWatch } from './watch.ts';

const RULES = new URL('../../deploy/prometheus/rules/headwind.yml', import.meta.url);
const onlyAlerts = process.argv.slice(2);

const folder = await mkdtemp(path.join(tmpdir(), 'hw-alerts-'));
const [http = 0, otherHttp = 0, api = 0, otherApi = 0, ...rest] = await freePorts(9);
const [worker = 0, prometheus = 0, alertmanager = 0, hook = 0] = rest;
const service = createService(folder, { http: [http, otherHttp], api: [api, otherApi], worker });
await Promise.all([service.disk, service.lake].map((dir) => mkdir(dir)));
// A disk that can be filled; mounting it needs root.
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'tmpfs', service.disk]);
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
  const { files, flight } = await buildStore();
  const apiKey = await createKey(service.redisUrl, 10_000_000);
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
  const untilAll = (alerts: string[], status: 'firing' | 'resolved') =>
    Promise.all(alerts.map((alert) => watch.until(alert, status)));
  const all = harms({
    service,
    call,
    files,
    flight,
    publish: (store) => publish(service.redisUrl, store),
  });
  for (const [alert, { start, alsoFires, repair, cleanUp }] of Object.entries(all)) {
    const alerts = [alert, ...(alsoFires === undefined ? [] : [alsoFires])];
    if (onlyAlerts.length > 0 && !alerts.some((name) => onlyAlerts.includes(name))) continue;
    try {
      if (start) await watch.until(alert, 'quiet');
      const stop = await start?.();
      const fired = await untilAll(alerts, 'firing');
      await stop?.();
      await repair?.();
      const cleared = await untilAll(alerts, 'resolved');
      for (const [at, name] of alerts.entries()) {
        console.log(`${name}: fired after ${fired[at]} s, cleared after ${cleared[at]} s`);
      }
      await cleanUp?.();
    } catch (error) {
      failures += 1;
      console.log(`${alert}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const names = [...(await readFile(RULES, 'utf8')).matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const covered = Object.entries(all).flatMap(([name, { alsoFires }]) => [name, alsoFires]);
  const missing = names.filter((name) => !covered.includes(name));
  const empty = await withoutSeries(await expressions(), watch);
  for (const name of missing) console.log(`alert without a harm: ${name}`);
  for (const expr of empty) console.log(`expression without a series: ${expr}`);
  failures += missing.length + empty.length + (await printPromtoolChecks({ api, worker }));
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
console.log(failures === 0 ? 'all alerts fired and cleared' : `${failures} problems`);
process.exit(failures === 0 ? 0 : 1);
