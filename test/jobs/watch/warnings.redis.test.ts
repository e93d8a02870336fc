import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { createWebhook } from '../../../jobs/watch/webhook.ts';
import type { Problem } from '../../../warehouse/live/conditions.ts';
import {
  acknowledgeIncidents,
  readAcknowledged,
  readIncidents,
} from '../../../warehouse/live/incidents.ts';
import { readRecords } from '../../../warehouse/live/incident-records.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { aListener, SECRET } from '../helpers/notice-listener.ts';

const warning = (fingerprint: string, text = 'Check volume warns of 3 rows'): Problem[] => [
  { key: 'check volume', kind: 'checks.warn', text, fingerprint },
];

test('a warning is notified once, and an acknowledged one is hidden until it changes or ends', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const { received, ids, url: address } = await aListener(t);
  const now = () => new Date();
  const hook = createWebhook({ url: address, secret: SECRET }, now, { pauseMs: 1 });
  const watch = createJobWatch({ redis, hook, now, log: pino({ level: 'silent' }) });
  const judge = async (problems: Problem[]) => {
    watch.judged(problems);
    await watch.waitUntilDone();
    return (await readIncidents(redis)).map(({ text }) => text);
  };
  const types = () => received.map(({ type }) => type);
  await judge(warning('a'));
  t.deepEqual(await judge(warning('a', 'Check volume warns of 4 rows')), [
    'Check volume warns of 4 rows',
  ]);
  t.deepEqual(types(), ['checks.warn'], 'other counts of the same rows are no other warning');

  t.is((await acknowledgeIncidents(redis, now().toISOString())).length, 1);
  t.deepEqual(await judge(warning('a')), []);
  t.deepEqual(await readAcknowledged(redis), [{ key: 'check volume', fingerprint: 'a' }]);
  t.deepEqual(types(), ['checks.warn']);

  t.is((await judge(warning('b'))).length, 1);
  t.deepEqual(types(), ['checks.warn', 'checks.warn']);
  t.is(new Set(ids).size, 2);
  await judge([]);
  t.deepEqual(types(), ['checks.warn', 'checks.warn', 'checks.warn.over']);

  await judge(warning('c'));
  await acknowledgeIncidents(redis, now().toISOString());
  await judge([]);
  t.is(received.length, 4, 'nobody waits for the end of an acknowledged warning');
  t.deepEqual(await readRecords(redis), []);
});
