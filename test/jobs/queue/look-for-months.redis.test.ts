import { join } from 'node:path';
import test from 'ava';
import { pino } from 'pino';
import { createSteps } from '../../../jobs/wiring/steps.ts';
import { openQueues } from '../../../jobs/queue/queues.ts';
import { startWorkers } from '../../../jobs/queue/worker.ts';
import { btsFileName } from '../../../pipelines/flights/months.ts';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { fakeBts } from '../../helpers/fake-bts.ts';
import { until } from '../helpers/command.ts';
import { monthCsv } from '../helpers/months.ts';
import { pipelineWorld } from '../helpers/pipeline-world.ts';
import { IDLE_KEYRING } from '../helpers/queue-world.ts';

test('three days in which a month comes out each: nobody types anything, and the store knows it each day', async (t) => {
  const bts = await fakeBts(t);
  const { url, redis, dataDir, paths, runs } = await pipelineWorld(t, '');
  let today = '2026-11-20';
  const now = () => new Date(`${today}T01:10:00Z`);
  const config = { dataDir, codeVersion: 'test', offline: false, btsBaseUrl: bts.url, now };
  const steps = createSteps(config, redis);
  const source = { kind: 'url', base: bts.url } as const;
  const places = { flights: source, weather: source, lockFile: join(dataDir, 'backfill.lock') };
  const log = pino({ level: 'silent' });
  // Training is no part of it: 200 flights a month teach nothing.
  const changed = { ...steps, isTrainingDue: async () => false };
  const workers = await startWorkers(url, { steps: changed, keyring: IDLE_KEYRING, log, places });
  t.teardown(async () => void (await workers.close(5_000)));
  const queues = openQueues(url);
  t.teardown(queues.close);
  const published = async () => (await readFromDisk(paths.storeDir))?.manifest.months ?? [];

  const expected: string[] = [];
  for (const [day, month] of ['2025-11', '2025-12', '2026-01'].entries()) {
    today = `2026-11-${20 + day}`;
    bts.put(btsFileName(month), monthCsv(month));
    expected.push(month);
    await queues.queue('extract').add('look-for-months', {});
    await until(`${month} is published`, async () => (await published()).includes(month), 60_000);
    t.deepEqual(await published(), expected);
    await until(
      'the night is over',
      async () => (await queues.queue('warehouse').getActiveCount()) === 0,
    );
  }
  const day = ['extract done', 'load done', 'build done', 'publish done'];
  t.deepEqual(
    (await runs()).map(({ step, outcome }) => `${step} ${outcome}`),
    [...day, ...day, ...day],
  );
});
