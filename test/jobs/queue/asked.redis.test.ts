import { join } from 'node:path';
import test from 'ava';
import { UnrecoverableError } from 'bullmq';
import { openOperations } from '../../../jobs/queue/operations.ts';
import { requestBackfill } from '../../../jobs/queue/backfill-jobs.ts';
import type { Run } from '../../../warehouse/lake/ledger.ts';
import { until } from '../helpers/command.ts';
import { aReport } from '../helpers/fake-steps.ts';
import { queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const BASE = 'http://127.0.0.1:9/PREZIP';
const SOURCE = { kind: 'url', base: BASE } as const;

test('what operators ask for is done by a worker, and is in the ledger with who asked', async (t) => {
  const { redis, queues, work } = await queueWorld(t);
  const lockFile = join(await tempDir(t), 'backfill.lock');
  const runs: Run[] = [];
  const [extracted, loaded]: [string[], string[]] = [[], []];
  let isBroken = true;
  let nights = 0;
  await work(
    {
      findMonths: async () => ({ base: BASE, asked: [], out: [], weather: [] }),
      buildFeatures: async () => {
        nights += 1;
        return { rows: {}, checks: [] };
      },
      isTrainingDue: async () => false,
      publishStore: async () => ({ version: 'v1', isNew: false }) as never,
      extractMonth: async ({ month }) => {
        if (isBroken && month === '2025-02') throw new UnrecoverableError(`${month} is torn`);
        extracted.push(month);
        return { ...aReport(`${month}.zip`, [month]), month, outcome: 'written' } as never;
      },
      loadMonths: async (months) => {
        loaded.push(...months);
        return { months, flights: 10 };
      },
    },
    undefined,
    {
      places: { flights: SOURCE, weather: SOURCE, lockFile },
      ledger: {
        record: async (run) => void runs.push(run),
        codeVersion: 'test',
        now: () => new Date(),
        randomLetters: () => 'abc',
      },
    },
  );
  const operations = openOperations(redis.url, []);
  t.teardown(operations.close);
  const inputs = () =>
    runs.filter(({ step }) => step === 'asked').map((run) => run.inputs[0]?.name);

  await operations.ask({ kind: 'nightly' }, 'hw_live_admin1');
  await until('the night', () => nights === 1);
  const months = { from: '2025-01', to: '2025-02', force: false, publish: false };
  await operations.ask({ kind: 'backfill', ...months }, 'hw_live_admin1');
  const failed = async () => (await operations.look()).queues.flatMap((queue) => queue.failed);
  await until('both months ended', async () => (await failed()).length === 2);
  t.deepEqual(extracted, ['2025-01']);
  const [torn] = (await failed()).filter(({ name }) => name === 'extract-month');
  t.like(torn, { id: 'extract-flights-2025-02', attempts: 1, why: '2025-02 is torn' });

  isBroken = false;
  const retry = { kind: 'retry', queue: 'warehouse', id: 'load-flights-2025-02' } as const;
  await operations.ask(retry, 'somebody on this machine');
  await until('the month is loaded', () => loaded.includes('2025-02'));
  t.deepEqual(await failed(), []);
  t.deepEqual(extracted, ['2025-01', '2025-02']);
  t.deepEqual(inputs(), [
    'nightly, asked for by hw_live_admin1',
    'back-fill 2025-01 to 2025-02, asked for by hw_live_admin1',
    'retry load-flights-2025-02, asked for by somebody on this machine',
  ]);

  await operations.ask(retry, 'somebody on this machine');
  await until('the refusal', () => inputs().length === 4);
  t.like(runs.at(-1), { outcome: 'failed', error: 'load-flights-2025-02 has not failed' });
  // A command that asks for the same months joins what is there.
  const request = { months: ['2025-02'], source: SOURCE, force: false };
  t.truthy((await requestBackfill(queues, request, lockFile)).parent);
});

test('queues that do not answer are told as away, not waited for', async (t) => {
  const operations = openOperations('redis://127.0.0.1:9', []);
  t.teardown(operations.close);
  await t.throwsAsync(operations.look(), { name: 'RedisAwayError' });
});
