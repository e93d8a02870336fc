import test from 'ava';
import { requestBackfill } from '../../../../jobs/queue/backfill-jobs.ts';
import { readConfig } from '../../../../jobs/config.ts';
import { readRedisStatus } from '../../../../jobs/cli/status/redis.ts';
import { SourceOutageError } from '../../../../pipelines/errors.ts';
import { until } from '../../helpers/command.ts';
import { queueWorld } from '../../helpers/queue-world.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

test('a job that waits for a retry is listed with the error of its last attempt', async (t) => {
  const { redis, queues, work } = await queueWorld(t);
  await work({
    extractMonth: async () => {
      throw new SourceOutageError('http://bts', 'the server answers 503', {
        retryAfterMs: 600_000,
      });
    },
  });
  const source = { kind: 'url', base: 'http://bts' } as const;
  const request = { months: ['2025-03'], source, force: false };
  const { months } = await requestBackfill(queues, request, `${await tempDir(t)}/lock`);
  await until('the job waits', async () => (await queues.queue('extract').getDelayedCount()) === 1);

  const status = await readRedisStatus({ config: readConfig({ REDIS_URL: redis.url }) });
  const jobs = status.state === 'up' ? status.queues.map(({ retrying }) => retrying) : [];
  t.deepEqual(jobs, [
    [{ job: months[0]!.extract.id, attempts: 1, why: 'http://bts: the server answers 503' }],
    [],
    [],
  ]);
});
