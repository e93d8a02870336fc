import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Job } from 'bullmq';
import { pino } from 'pino';
import { openQueues } from '../../../jobs/queue/queues.ts';
import { JOB_OPTIONS } from '../../../jobs/queue/retry.ts';
import type { Schedule } from '../../../jobs/queue/schedules.ts';
import { startWorkers } from '../../../jobs/queue/worker.ts';
import type { TrainReport } from '../../../pipelines/model/train-step.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { BuildReport } from '../../../warehouse/build/reports.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { currentVersion, readFromRedis } from '../../../warehouse/store/redis.ts';
import { readFolder, writeFolder } from '../../helpers/folders.ts';
import { oncePerRun } from '../../helpers/once-per-run.ts';
import { until } from '../helpers/command.ts';
import { pinModel, rollBackModel, unpinModel } from '../../../pipelines/model/pin-or-roll-back.ts';
import { findModel, findReleased, releaseModel } from '../../../pipelines/model/released-model.ts';
import { someMetadata, someModel } from '../../models/helpers/model.ts';
import { serialTestWithXgboost } from '../../models/helpers/test-with-xgboost.ts';
import { lateFlights, MONTH_FLIGHTS } from '../helpers/lake.ts';
import { pipelineWorld, silent, SOME_FLIGHTS } from '../helpers/pipeline-world.ts';
import { IDLE_KEYRING } from '../helpers/queue-world.ts';

const EVERY_SECOND: Schedule = {
  id: 'nightly',
  queue: 'warehouse',
  job: 'nightly',
  pattern: '* * * * * *',
  everyS: 1,
  what: '',
};

/** Loads a history with the real pipeline. `startWorker` starts a worker, `runNightly` runs the nightly job. */
async function aHistory(t: ExecutionContext, csv = SOME_FLIGHTS) {
  const world = await pipelineWorld(t, csv);
  const { steps, file, url, dataDir } = world;
  const loaded = await oncePerRun(JSON.stringify(['loaded', csv]), async () => {
    const { months } = await steps.extractFile({ path: file }, silent);
    await steps.loadMonths(
      months.map(({ month }) => month),
      silent,
    );
    return readFolder(dataDir);
  });
  await writeFolder(dataDir, loaded);
  const queues = openQueues(url);
  t.teardown(queues.close);
  const queue = queues.queue('warehouse');
  return {
    ...world,
    queue,
    startWorker: async (overrides: Partial<PipelineSteps> = {}, schedules: Schedule[] = []) => {
      const log = pino({ level: 'silent' });
      const deps = {
        steps: { ...steps, ...overrides },
        keyring: IDLE_KEYRING,
        log,
        schedules,
        isService: true,
      };
      const workers = await startWorkers(url, deps);
      t.teardown(async () => void (await workers.close(5_000)));
    },
    runNightly: async () => {
      const { id = '' } = await queue.add('nightly', {}, JOB_OPTIONS);
      const findNightly = async () => (await queue.getJob(id)) as Job;
      await until('the nightly run ends', async () => Boolean((await findNightly()).finishedOn));
      return findNightly();
    },
  };
}

test.serial(
  'the schedule starts a nightly run, which builds, checks and publishes a store',
  async (t) => {
    const { redis, paths, runs, queue, startWorker } = await aHistory(t);
    t.is(await currentVersion(redis), undefined);
    await startWorker({}, [EVERY_SECOND]);
    await until('a nightly run ends', async () => (await queue.getCompletedCount()) > 0);
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
  'failing checks end the nightly run without a retry, and the former store stays',
  async (t) => {
    const { redis, paths, steps, runs, startWorker, runNightly } = await aHistory(t);
    await steps.buildFeatures(silent);
    const { version: before } = await steps.publishStore(silent);
    const db = await openDatabase({ path: paths.warehouseFile });
    await db.run('update raw.route_hours set completed_count = flight_count, cancelled_count = 9');
    // Marks the months as new, because a build skips months loaded before the last build.
    await db.run('update raw.lake_months set loaded_at = now()');
    db.close();
    await startWorker();
    const failed = await runNightly();
    t.true(await failed.isFailed());
    t.is(failed.failedReason, 'not published: failing checks: route_carrier_otp_rates');
    t.is(failed.attemptsMade, 1);
    t.is(await currentVersion(redis), before);
    t.is((await readFromDisk(paths.storeDir))?.manifest.version, before);
    const nightlyRuns = (await runs()).slice(4, 6);
    t.deepEqual(
      nightlyRuns.map(({ step, outcome }) => `${step} ${outcome}`),
      ['build done', 'publish failed'],
    );
    const buildReport = nightlyRuns[0]?.detail as BuildReport | undefined;
    t.deepEqual(
      buildReport?.checks.filter(({ failures }) => failures > 0).map(({ check }) => check),
      ['route_carrier_otp_rates'],
    );
  },
);

/** Releases a model of the same region that returns 0.4 for every flight. */
async function releaseFourTenths(modelsDir: string): Promise<string> {
  const trainedOn = { months: ['2017-12'], rows: 10, dataSha256: 'of another' };
  const bytes = someModel({ probability: 0.4, metadata: someMetadata({ trainedOn }) });
  return releaseModel(modelsDir, { bytes, card: { isReleased: true, why: '' } });
}

serialTestWithXgboost(
  'a nightly run with unseen months trains and publishes a model; the next run does not train',
  async (t) => {
    const world = await aHistory(t, lateFlights('2018-01', '2018-06'));
    const { paths, runs, startWorker, runNightly } = world;
    const before = await releaseFourTenths(paths.modelsDir);
    await startWorker();
    await runNightly();
    await runNightly();
    const { model } = await findModel(paths.modelsDir);
    t.is(model?.origin, 'released');
    t.not(model?.version, before);
    t.is((await readFromDisk(paths.storeDir))?.manifest.model?.version, model?.version);
    t.deepEqual(
      (await runs()).slice(2).map(({ step, outcome }) => `${step} ${outcome}`),
      ['build done', 'train done', 'publish done', 'build done', 'publish done'],
    );
  },
);

serialTestWithXgboost(
  'after a refused model, the nightly run goes on and the next run trains only if there is a new month',
  async (t) => {
    const world = await aHistory(t, lateFlights('2018-01', '2018-05'));
    const { paths, steps, runs, startWorker, runNightly, dataDir } = world;
    await startWorker();
    await runNightly();
    await runNightly();
    const trainings = async () => (await runs()).filter(({ step }) => step === 'train');
    const [refusal] = await trainings();
    const report = refusal?.detail as TrainReport | undefined;
    t.is(report?.isReleased, false);
    t.regex(
      report?.why ?? '',
      /^not released: regional: .* To release it anyway: make train ACCEPT=regional$/,
    );
    t.is((await trainings()).length, 1);
    const { model } = await findModel(paths.modelsDir);
    t.is(model?.origin, 'bundled');
    t.is((await readFromDisk(paths.storeDir))?.manifest.model?.version, model?.version);

    const june = join(dataDir, 'june.csv');
    await writeFile(june, lateFlights('2018-06', '2018-06'));
    await steps.extractFile({ path: june }, silent);
    await runNightly();
    t.is((await trainings()).length, 2);
    t.is((await trainings())[1]?.rowsIn, 6 * MONTH_FLIGHTS);
  },
);

serialTestWithXgboost(
  'with a pin, a nightly run releases a model but publishes the pinned one; a withdrawn model is not published again',
  async (t) => {
    const world = await aHistory(t, lateFlights('2018-01', '2018-06'));
    const { paths, runs, startWorker, runNightly, steps } = world;
    const { modelsDir, storeDir } = paths;
    const pinnedVersion = await releaseFourTenths(modelsDir);
    await pinModel(modelsDir, pinnedVersion);
    await startWorker();
    const publishedVersion = async () => (await readFromDisk(storeDir))?.manifest.model?.version;
    await runNightly();
    t.is(await publishedVersion(), pinnedVersion);
    const trainedVersion = (await findReleased(modelsDir)).model?.version;
    t.not(trainedVersion, pinnedVersion);

    await unpinModel(modelsDir);
    await runNightly();
    t.is(await publishedVersion(), trainedVersion);
    await rollBackModel(modelsDir);
    await runNightly();
    t.is(await publishedVersion(), pinnedVersion);
    const trainings = (await runs()).filter(({ step }) => step === 'train').length;
    t.is(trainings, 1);
    const secondReport = await steps.train({}, silent);
    t.false(secondReport.isReleased);
    t.regex(
      secondReport.why,
      new RegExp(`the training produced ${trainedVersion}, which a rollback withdrew`),
    );
    t.is((await findModel(modelsDir)).model?.version, pinnedVersion);
  },
);

test.serial('a nightly run whose training fails publishes with the current model', async (t) => {
  const world = await aHistory(t, lateFlights('2018-01', '2018-06', 360));
  const { paths, startWorker, runNightly } = world;
  const train = () => Promise.reject(new Error('the training process ended (SIGKILL)'));
  await startWorker({ train });
  t.like((await runNightly()).returnvalue, {
    training: { problem: 'the training process ended (SIGKILL)' },
  });
  const { model } = await findModel(paths.modelsDir);
  t.is(model?.origin, 'bundled');
  t.is((await readFromDisk(paths.storeDir))?.manifest.model?.version, model?.version);
});
