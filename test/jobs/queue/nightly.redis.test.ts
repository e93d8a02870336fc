import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { openQueues } from '../../../jobs/queue/queues.ts';
import type { Schedule } from '../../../jobs/queue/schedules.ts';
import { startWorkers } from '../../../jobs/queue/worker.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { BuildReport } from '../../../warehouse/build/reports.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { currentVersion, readFromRedis } from '../../../warehouse/store/redis.ts';
import { aFlight, toCsv } from '../../helpers/flight-files.ts';
import { until } from '../helpers/command.ts';
import { findModel } from '../../../pipelines/model/released.ts';
import { serialTestWithXgboost } from '../../models/helpers/test-with-xgboost.ts';
import { lateFlights } from '../helpers/lake.ts';
import { pipelineWorld, silent } from '../helpers/pipeline-world.ts';
import { IDLE_KEYRING } from '../helpers/queue-world.ts';

/** The nightly run, as often as the test can wait for. */
const EVERY_TWO_SECONDS: Schedule = {
  id: 'nightly',
  queue: 'warehouse',
  job: 'nightly',
  pattern: '*/2 * * * * *',
  what: '',
};

/** A month of 200 flights. */
const JULY = toCsv(Array.from({ length: 200 }, () => aFlight()));

/** A history loaded by the real pipeline; `fallAsleep` begins the nights. */
async function aNight(t: ExecutionContext, csv = JULY) {
  const world = await pipelineWorld(t, csv);
  const { steps, file, url } = world;
  const { months } = await steps.extractFile({ path: file }, silent);
  await steps.loadMonths(
    months.map(({ month }) => month),
    silent,
  );
  return {
    ...world,
    fallAsleep: async (changed: Partial<PipelineSteps> = {}) => {
      const deps = {
        steps: { ...steps, ...changed },
        keyring: IDLE_KEYRING,
        log: pino({ level: 'silent' }),
        schedules: [EVERY_TWO_SECONDS],
      };
      const workers = await startWorkers(url, deps);
      t.teardown(async () => void (await workers.close(5_000)));
      const queues = openQueues(url);
      t.teardown(queues.close);
      return queues.queue('warehouse');
    },
  };
}

test.serial(
  'the schedule fires by itself, builds, checks, and ends in a published store',
  async (t) => {
    const { redis, paths, runs, fallAsleep } = await aNight(t);
    t.is(await currentVersion(redis), undefined);
    const queue = await fallAsleep();
    await until('a night is over', async () => (await queue.getCompletedCount()) > 0, 30_000);
    const version = (await currentVersion(redis)) ?? '';
    const store = openStore(await readFromRedis(redis, version));
    t.is(store.routeCarrier('JFK', 'LAX', 'DL')?.flightCount, 200);
    t.is((await readFromDisk(paths.storeDir))?.manifest.version, version);
    t.deepEqual(
      (await runs()).slice(0, 4).map(({ step, outcome }) => `${step} ${outcome}`),
      ['extract done', 'load done', 'build done', 'publish done'],
    );
  },
);

test.serial(
  'failing checks end the night: nothing is tried again, and the store before still serves',
  async (t) => {
    const { redis, paths, steps, runs, fallAsleep } = await aNight(t);
    await steps.buildFeatures(silent);
    const { version: before } = await steps.publishStore(silent);
    const db = await openDatabase({ path: paths.warehouseFile });
    await db.run('update raw.route_hours set completed_count = flight_count, cancelled_count = 9');
    // As a load would leave it: a night builds only what was loaded since.
    await db.run('update raw.lake_months set loaded_at = now()');
    db.close();
    const queue = await fallAsleep();
    await until('a night failed', async () => (await queue.getFailedCount()) > 0, 30_000);
    const [job] = await queue.getFailed();
    t.is(job?.failedReason, 'not published: failing checks: route_carrier_otp_rates');
    t.is(job?.attemptsMade, 1);
    t.is(await currentVersion(redis), before);
    t.is((await readFromDisk(paths.storeDir))?.manifest.version, before);
    const night = (await runs()).slice(4, 6);
    t.deepEqual(
      night.map(({ step, outcome }) => `${step} ${outcome}`),
      ['build done', 'publish failed'],
    );
    const built = night[0]?.detail as BuildReport | undefined;
    t.deepEqual(
      built?.checks.filter(({ failures }) => failures > 0).map(({ check }) => check),
      ['history_fresh', 'route_carrier_otp_rates'],
    );
  },
);

serialTestWithXgboost(
  'a night over months that no model has seen trains one and publishes it; the next has nothing to do',
  async (t) => {
    const { paths, runs, fallAsleep } = await aNight(t, lateFlights('2018-01', '2018-06'));
    const queue = await fallAsleep();
    await until('two nights are over', async () => (await queue.getCompletedCount()) > 1, 90_000);
    const { model } = await findModel(paths.modelsDir);
    t.is(model?.origin, 'released');
    t.is((await readFromDisk(paths.storeDir))?.manifest.model?.version, model?.version);
    t.deepEqual(
      (await runs()).slice(2, 7).map(({ step, outcome }) => `${step} ${outcome}`),
      ['build done', 'train done', 'publish done', 'build done', 'publish done'],
    );
  },
);

test.serial('a night whose training fails publishes with the model there is', async (t) => {
  const { paths, fallAsleep } = await aNight(t, lateFlights('2018-01', '2018-06'));
  const train = () => Promise.reject(new Error('the training was ended (SIGKILL)'));
  const queue = await fallAsleep({ train });
  await until('a night is over', async () => (await queue.getCompletedCount()) > 0, 30_000);
  const [night] = await queue.getCompleted();
  t.like(night?.returnvalue, { training: { problem: 'the training was ended (SIGKILL)' } });
  const { model } = await findModel(paths.modelsDir);
  t.is(model?.origin, 'bundled');
  t.is((await readFromDisk(paths.storeDir))?.manifest.model?.version, model?.version);
});
