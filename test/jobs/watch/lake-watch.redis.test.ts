import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { lakeFindings } from '../../../jobs/cli/doctor/redis.ts';
import { watchLakes } from '../../../jobs/watch/lake-watch.ts';
import type { Signal } from '../../../jobs/watch/incidents-of-jobs.ts';
import { lakesAtWork } from '../../../warehouse/live/lakes.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const log = pino({ level: 'silent' });

test('workers that share a lake are well; a lake of another host is told, and over when its worker is gone', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const told: Signal[] = [];
  const watch = { signal: (signals: readonly Signal[]) => void told.push(...signals) };
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
  t.true(told.every(({ isWell }) => isWell));
  const other = await worker(own, 'three');
  t.like(told.at(-1), { key: 'lakes', kind: 'lakes.differ', isWell: false });
  const [finding] = lakeFindings(await lakesAtWork(redis, now()));
  t.is(finding?.state, 'bad');
  for (const place of [shared, own, 'three']) t.true(finding?.text.includes(place));
  await other.close();
  await first.look();
  t.deepEqual(told.at(-1), { key: 'lakes', kind: 'lakes.differ', isWell: true });

  // One that was killed says nothing more.
  await worker(own, 'three');
  t.false(told.at(-1)?.isWell);
  clock += 6 * 60_000;
  await first.look();
  t.true(told.at(-1)?.isWell);
});
