import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openModelReports } from '../../../../api/server/model-reports.ts';
import type { ImportedState } from '../../../../api/scoring/model-service.ts';
import { createJobWatch } from '../../../../jobs/watch/job-watch.ts';
import { createWebhook } from '../../../../jobs/watch/webhook.ts';
import { readIncidents } from '../../../../warehouse/live/incidents.ts';
import { borrowRedis } from '../../../helpers/redis.ts';
import { aHealthWatch } from '../../helpers/health-watch.ts';
import { aListener, SECRET } from '../../helpers/notice-listener.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

const log = pino({ level: 'silent' });

test('a failing imported model is an incident with a notice until it answers again or its process is gone', async (t) => {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const { received, url: address } = await aListener(t);
  let clock = Date.parse('2026-03-10T02:00:00Z');
  const now = () => new Date(clock);
  const watch = createJobWatch({
    redis,
    hook: createWebhook({ url: address, secret: SECRET }, () => new Date(), { pauseMs: 1 }),
    ...{ log, now },
  });
  let state: ImportedState['state'] = 'serving';
  const read = () => ({
    ...{ version: 'abc', reason: 'predicts NaN', failures: 3, fallbackAnswers: 9 },
    ...{ state, since: '2026-03-10T01:00:00Z' },
  });
  const reports = openModelReports({ redis, read, now, log });
  t.teardown(reports.close);
  const health = aHealthWatch(t, { redis, url, dataDir: await tempDir(t) }, { watch, now });
  const ofModel = ({ kind }: { kind: string }) => kind === 'model.failed';
  const kinds = async () => {
    await reports.report();
    await health.judge();
    await watch.waitUntilDone();
    return (await readIncidents(redis)).filter(ofModel).map(({ kind }) => kind);
  };
  t.deepEqual(await kinds(), []);
  state = 'fallback';
  t.deepEqual(await kinds(), ['model.failed']);
  const incident = (await readIncidents(redis)).find(ofModel);
  t.regex(
    incident?.text ?? '',
    /^Imported model abc fails at .* process \d+: predicts NaN\. The model /,
  );
  const ofReceived = () => received.filter(({ type }) => type.startsWith('model.failed'));
  t.like(ofReceived(), [{ type: 'model.failed', text: incident?.text }]);
  state = 'serving';
  t.deepEqual(await kinds(), []);
  t.like(ofReceived()[1], { type: 'model.failed.over' });

  state = 'fallback';
  t.deepEqual(await kinds(), ['model.failed']);
  clock += 3 * 60_000;
  await health.judge();
  await watch.waitUntilDone();
  t.deepEqual((await readIncidents(redis)).filter(ofModel), []);
});
