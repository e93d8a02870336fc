import test from 'ava';
import { nightly } from '../../../../jobs/queue/handlers/nightly.ts';
import { TrainingImpossibleError } from '../../../../pipelines/errors.ts';
import type { TrainReport } from '../../../../pipelines/model/train-step.ts';
import type { PipelineSteps } from '../../../../pipelines/types.ts';
import type { BuildReport } from '../../../../warehouse/build/reports.ts';

type NightlySteps = Pick<
  PipelineSteps,
  'buildFeatures' | 'isTrainingDue' | 'train' | 'measureRecords' | 'publishStore'
>;

const BUILD: BuildReport = {
  rows: { months: 12 },
  checks: [
    { check: 'rates', severity: 'error', failures: 0 },
    { check: 'month_volume', severity: 'warn', failures: 2 },
  ],
};
const PUBLISH = { version: 'v1', months: [], bytes: 0 };
const TRAINING: TrainReport = {
  isReleased: true,
  why: 'released: it beats',
  months: ['2018-01'],
  dataSha256: 'sha',
  rows: 400,
  contract: 'contract',
  version: 'abc',
};

/** Runs nightly with these steps; by default a training is due and succeeds. */
async function runNightly(changes: Partial<NightlySteps> = {}) {
  const calls: string[] = [];
  const warnings: string[] = [];
  const recordCall =
    <T>(name: string, work: () => Promise<T>) =>
    () => {
      calls.push(name);
      return work();
    };
  const steps: NightlySteps = {
    buildFeatures: async () => BUILD,
    isTrainingDue: async () => true,
    train: async () => TRAINING,
    measureRecords: async () => ({}),
    publishStore: async () => PUBLISH,
    ...changes,
  };
  const log = {
    info: () => undefined,
    warn: (facts: { err: Error }) => void warnings.push(facts.err.message),
  };
  const job = { data: {}, updateProgress: async () => undefined };
  const result = nightly(
    job,
    {
      buildFeatures: recordCall('build', () => steps.buildFeatures(() => undefined)),
      isTrainingDue: steps.isTrainingDue,
      train: recordCall('train', () => steps.train({}, () => undefined)),
      measureRecords: steps.measureRecords,
      publishStore: recordCall('publish', () => steps.publishStore(() => undefined)),
    },
    log as never,
  );
  return { report: await result.catch((error: Error) => error), calls, warnings };
}

test('with new months, the nightly run trains after the build and publishes the released model', async (t) => {
  const { report, calls, warnings } = await runNightly();
  t.deepEqual(calls, ['build', 'train', 'publish']);
  t.deepEqual(report, { build: BUILD, training: TRAINING, publish: PUBLISH });
  t.deepEqual(warnings, []);
});

test('without new months, the nightly run does not train', async (t) => {
  const { report, calls } = await runNightly({ isTrainingDue: async () => false });
  t.deepEqual(calls, ['build', 'publish']);
  t.deepEqual(report, { build: BUILD, publish: PUBLISH });
});

test('a refused model is in the report, and the nightly run goes on', async (t) => {
  const training = { ...TRAINING, isReleased: false, why: 'not released: no skill' };
  const { report, calls } = await runNightly({ train: async () => training });
  t.deepEqual(calls, ['build', 'train', 'publish']);
  t.like(report, { training });
});

test('if a training, or the check whether one is due, fails, the failure is logged once and the run publishes', async (t) => {
  const train = () => Promise.reject(new TrainingImpossibleError('no library'));
  const failed = await runNightly({ train });
  t.deepEqual(failed.calls, ['build', 'train', 'publish']);
  t.deepEqual(failed.report, {
    build: BUILD,
    training: { problem: 'no library' },
    publish: PUBLISH,
  });
  t.deepEqual(failed.warnings, ['no library']);

  const isTrainingDue = () => Promise.reject(new Error('a manifest is damaged'));
  const unknown = await runNightly({ isTrainingDue });
  t.deepEqual(unknown.calls, ['build', 'publish']);
  t.deepEqual(unknown.warnings, ['a manifest is damaged']);
});

test('if checks fail, no model is trained', async (t) => {
  const checks = [{ check: 'rates', severity: 'error' as const, failures: 1 }];
  const { calls } = await runNightly({ buildFeatures: async () => ({ ...BUILD, checks }) });
  t.deepEqual(calls, ['build', 'publish']);
});

test('the accuracy of changed records is in the report; if it cannot be measured, the run publishes', async (t) => {
  const accuracy = { measured: { hkia: { state: 'passed' as const, why: 'it beats' } } };
  const { report } = await runNightly({ measureRecords: async () => accuracy });
  t.like(report, { accuracy, publish: PUBLISH });

  const failed = await runNightly({ measureRecords: () => Promise.reject(new Error('no disk')) });
  t.deepEqual(failed.calls, ['build', 'train', 'publish']);
  t.deepEqual(failed.warnings, ['no disk']);
});
