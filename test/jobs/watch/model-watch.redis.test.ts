import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openModelReports } from '../../../api/server/model-reports.ts';
import type { ImportedState } from '../../../api/scoring/model-service.ts';
import { jobFindings } from '../../../jobs/cli/doctor/redis.ts';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { watchModels } from '../../../jobs/watch/model-watch.ts';
import { createWebhook } from '../../../jobs/watch/webhook.ts';
import { readIncidents } from '../../../warehouse/live/incidents.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { aListener, SECRET } from '../helpers/notice-listener.ts';
import { tempDir } from '../helpers/temp-dir.ts';

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
    paths: dataPaths(await tempDir(t)),
    hook: createWebhook({ url: address, secret: SECRET }, () => new Date(), { pauseMs: 1 }),
    staleness: async () => [],
    ...{ log, now },
  });
  let state: ImportedState['state'] = 'serving';
  const read = () => ({
    ...{ version: 'abc', reason: 'predicts NaN', failures: 3, fallbackAnswers: 9 },
    ...{ state, since: '2026-03-10T01:00:00Z' },
  });
  const reports = openModelReports({ redis, read, now, log });
  t.teardown(reports.close);
  const modelWatch = await watchModels({ redis, watch, log, now });
  t.teardown(modelWatch.close);
  const kinds = async () => {
    await reports.report();
    await modelWatch.check();
    await watch.waitUntilDone();
    return (await readIncidents(redis)).map(({ kind }) => kind);
  };
  t.deepEqual(await kinds(), []);
  state = 'fallback';
  t.deepEqual(await kinds(), ['model.failed']);
  const [incident] = await readIncidents(redis);
  t.regex(
    incident?.text ?? '',
    /^Imported model abc fails at .* process \d+: predicts NaN\. The model /,
  );
  t.like(jobFindings(await readIncidents(redis)), [
    { what: 'model', state: 'bad', help: 'make model-remove publish' },
  ]);
  t.like(received, [{ type: 'model.failed', text: incident?.text }]);
  state = 'serving';
  t.deepEqual(await kinds(), []);
  t.like(received[1], { type: 'model.failed.over' });

  state = 'fallback';
  t.deepEqual(await kinds(), ['model.failed']);
  clock += 3 * 60_000;
  await modelWatch.check();
  await watch.waitUntilDone();
  t.deepEqual(await readIncidents(redis), []);
});
