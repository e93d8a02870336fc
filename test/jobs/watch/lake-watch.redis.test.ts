import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { lakeFindings } from '../../../jobs/cli/doctor/redis.ts';
import { watchLakes } from '../../../jobs/watch/lake-watch.ts';
import type { Signal } from '../../../jobs/watch/incidents-of-jobs.ts';
import { readActiveLakes } from '../../../warehouse/live/lakes.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const log = pino({ level: 'silent' });

test('a second lake of another host is an incident until its worker ends; workers that share a lake are fine', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const reportedSignals: Signal[] = [];
  const watch = { signal: (signals: readonly Signal[]) => void reportedSignals.push(...signals) };
  let clock = Date.parse('2026-03-10T02:00:00Z');
  const now = () => new Date(clock);
  const worker = async (dataDir: string, host: string) => {
    const lakes = await watchLakes({ dataDir, redis, watch, log, host, now });
    t.teardown(lakes.close);
    return lakes;
  };
  const shared = await tempDir(t);
  const own = await tempDir(t);
  const [first] = await Promise.all([worker(shared, 'one'), worker(shared, 'two')]);
  t.true(reportedSignals.every(({ isResolved }) => isResolved));
  const other = await worker(own, 'three');
  t.like(reportedSignals.at(-1), { key: 'lakes', kind: 'lakes.differ', isResolved: false });
  const [finding] = lakeFindings(await readActiveLakes(redis, now()));
  t.is(finding?.state, 'bad');
  for (const place of [shared, own, 'three']) t.true(finding?.text.includes(place));
  await other.close();
  await first.check();
  t.deepEqual(reportedSignals.at(-1), { key: 'lakes', kind: 'lakes.differ', isResolved: true });

  // A killed worker does not remove its lake; the lake expires.
  await worker(own, 'three');
  t.false(reportedSignals.at(-1)?.isResolved);
  clock += 6 * 60_000;
  await first.check();
  t.true(reportedSignals.at(-1)?.isResolved);
});
