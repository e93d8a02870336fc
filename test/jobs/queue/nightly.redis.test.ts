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
import { findModel, findReleased, releaseModel } from '../../../pipelines/model/released.ts';
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

/** A history loaded by the real pipeline; after `fallAsleep` a worker waits for `night`, a run of that job. */
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
    fallAsleep: async (changed: Partial<PipelineSteps> = {}, schedules: Schedule[] = []) => {
      const log = pino({ level: 'silent' });
      const deps = { steps: { ...steps, ...changed }, keyring: IDLE_KEYRING, log, schedules };
      const workers = await startWorkers(url, deps);
      t.teardown(async () => void (await workers.close(5_000)));
    },
    night: async () => {
      const { id = '' } = await queue.add('nightly', {}, JOB_OPTIONS);
      const found = async () => (await queue.getJob(id)) as Job;
      await until('the night is over', async () => Boolean((await found()).finishedOn));
      return found();
    },
  };
}

test.serial(
  'the schedule fires by itself, builds, checks, and ends in a published store',
  async (t) => {
    const { redis, paths, runs, queue, fallAsleep } = await aHistory(t);
    t.is(await currentVersion(redis), undefined);
    await fallAsleep({}, [EVERY_SECOND]);
    await until('a night is over', async () => (await queue.getCompletedCount()) > 0);
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
    const { redis, paths, steps, runs, fallAsleep, night } = await aHistory(t);
    await steps.buildFeatures(silent);
    const { version: before } = await steps.publishStore(silent);
    const db = await openDatabase({ path: paths.warehouseFile });
    await db.run('update raw.route_hours set completed_count = flight_count, cancelled_count = 9');
    // As a load would leave it: a night builds only what was loaded since.
    await db.run('update raw.lake_months set loaded_at = now()');
    db.close();
    await fallAsleep();
    const failed = await night();
    t.true(await failed.isFailed());
    t.is(failed.failedReason, 'not published: failing checks: route_carrier_otp_rates');
    t.is(failed.attemptsMade, 1);
    t.is(await currentVersion(redis), before);
    t.is((await readFromDisk(paths.storeDir))?.manifest.version, before);
    const ofNight = (await runs()).slice(4, 6);
    t.deepEqual(
      ofNight.map(({ step, outcome }) => `${step} ${outcome}`),
      ['build done', 'publish failed'],
    );
    const built = ofNight[0]?.detail as BuildReport | undefined;
    t.deepEqual(
      built?.checks.filter(({ failures }) => failures > 0).map(({ check }) => check),
      ['history_fresh', 'route_carrier_otp_rates', 'sources_fresh'],
    );
  },
);

/** Releases a model of the same region that says 0.4 of every flight. */
async function releaseFourTenths(modelsDir: string): Promise<string> {
  const trainedOn = { months: ['2017-12'], rows: 10, dataSha256: 'of another' };
  const bytes = someModel({ probability: 0.4, metadata: someMetadata({ trainedOn }) });
  return releaseModel(modelsDir, { bytes, card: { isReleased: true, why: '' } });
}

serialTestWithXgboost(
  'a night over months that no model has seen trains one and publishes it; the next has nothing to do',
  async (t) => {
    const world = await aHistory(t, lateFlights('2018-01', '2018-06'));
    const { paths, runs, fallAsleep, night } = world;
    const before = await releaseFourTenths(paths.modelsDir);
    await fallAsleep();
    await night();
    await night();
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
  'a night that refuses a model goes on, the next does not try again, and one with another month does',
  async (t) => {
    const world = await aHistory(t, lateFlights('2018-01', '2018-05'));
    const { paths, steps, runs, fallAsleep, night, dataDir } = world;
    await fallAsleep();
    await night();
    await night();
    const trainings = async () => (await runs()).filter(({ step }) => step === 'train');
    const [refusal] = await trainings();
    const report = refusal?.detail as TrainReport | undefined;
    t.is(report?.isReleased, false);
    t.regex(
      report?.why ?? '',
      /^not released: regional: .* make train ACCEPT=regional releases it all the same$/,
    );
    t.is((await trainings()).length, 1);
    const { model } = await findModel(paths.modelsDir);
    t.is(model?.origin, 'bundled');
    t.is((await readFromDisk(paths.storeDir))?.manifest.model?.version, model?.version);

    const june = join(dataDir, 'june.csv');
    await writeFile(june, lateFlights('2018-06', '2018-06'));
    await steps.extractFile({ path: june }, silent);
    await night();
    t.is((await trainings()).length, 2);
    t.is((await trainings())[1]?.rowsIn, 6 * MONTH_FLIGHTS);
  },
);

serialTestWithXgboost(
  'a night releases behind a pin and publishes what is pinned; a model rolled back from stays away',
  async (t) => {
    const world = await aHistory(t, lateFlights('2018-01', '2018-06'));
    const { paths, runs, fallAsleep, night, steps } = world;
    const { modelsDir, storeDir } = paths;
    const pinned = await releaseFourTenths(modelsDir);
    await pinModel(modelsDir, pinned);
    await fallAsleep();
    const published = async () => (await readFromDisk(storeDir))?.manifest.model?.version;
    await night();
    t.is(await published(), pinned);
    const trained = (await findReleased(modelsDir)).model?.version;
    t.not(trained, pinned);

    await unpinModel(modelsDir);
    await night();
    t.is(await published(), trained);
    await rollBackModel(modelsDir);
    await night();
    t.is(await published(), pinned);
    const trainings = (await runs()).filter(({ step }) => step === 'train').length;
    t.is(trainings, 1);
    const again = await steps.train({}, silent);
    t.false(again.isReleased);
    t.regex(again.why, new RegExp(`what came of it is ${trained}, which was rolled back from`));
    t.is((await findModel(modelsDir)).model?.version, pinned);
  },
);

test.serial('a night whose training fails publishes with the model there is', async (t) => {
  const world = await aHistory(t, lateFlights('2018-01', '2018-06', 360));
  const { paths, fallAsleep, night } = world;
  const train = () => Promise.reject(new Error('the training was ended (SIGKILL)'));
  await fallAsleep({ train });
  t.like((await night()).returnvalue, {
    training: { problem: 'the training was ended (SIGKILL)' },
  });
  const { model } = await findModel(paths.modelsDir);
  t.is(model?.origin, 'bundled');
  t.is((await readFromDisk(paths.storeDir))?.manifest.model?.version, model?.version);
});
