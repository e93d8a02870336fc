import test from 'ava';
import { nightly } from '../../../../jobs/queue/handlers/nightly.ts';
import { TrainingImpossibleError } from '../../../../pipelines/errors.ts';
import type { TrainReport } from '../../../../pipelines/model/train-step.ts';
import type { PipelineSteps } from '../../../../pipelines/types.ts';
import type { BuildReport } from '../../../../warehouse/build/reports.ts';

type NightSteps = Pick<PipelineSteps, 'buildFeatures' | 'isTrainingDue' | 'train' | 'publishStore'>;

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

/** A night on these steps; by default a training is due and goes well. */
async function aNight(changes: Partial<NightSteps> = {}) {
  const calls: string[] = [];
  const warnings: string[] = [];
  const noted =
    <T>(name: string, work: () => Promise<T>) =>
    () => {
      calls.push(name);
      return work();
    };
  const steps: NightSteps = {
    buildFeatures: async () => BUILD,
    isTrainingDue: async () => true,
    train: async () => TRAINING,
    publishStore: async () => PUBLISH,
    ...changes,
  };
  const log = {
    info: () => undefined,
    warn: (facts: { err: Error }) => void warnings.push(facts.err.message),
  };
  const job = { data: {}, updateProgress: async () => undefined };
  const night = nightly(
    job,
    {
      buildFeatures: noted('build', () => steps.buildFeatures(() => undefined)),
      isTrainingDue: steps.isTrainingDue,
      train: noted('train', () => steps.train({}, () => undefined)),
      publishStore: noted('publish', () => steps.publishStore(() => undefined)),
    },
    log as never,
  );
  return { report: await night.catch((error: Error) => error), calls, warnings };
}

test('a night with new months trains after the build, and publishes what it released', async (t) => {
  const { report, calls, warnings } = await aNight();
  t.deepEqual(calls, ['build', 'train', 'publish']);
  t.deepEqual(report, { build: BUILD, training: TRAINING, publish: PUBLISH });
  t.deepEqual(warnings, []);
});

test('a night with nothing new to learn from does not train', async (t) => {
  const { report, calls } = await aNight({ isTrainingDue: async () => false });
  t.deepEqual(calls, ['build', 'publish']);
  t.deepEqual(report, { build: BUILD, publish: PUBLISH });
});

test('a model that is not released is in the report, and the night goes on', async (t) => {
  const training = { ...TRAINING, isReleased: false, why: 'not released: no skill' };
  const { report, calls } = await aNight({ train: async () => training });
  t.deepEqual(calls, ['build', 'train', 'publish']);
  t.like(report, { training });
});

test('a training that fails, or whose need cannot be told, is warned of once, and the night publishes', async (t) => {
  const train = () => Promise.reject(new TrainingImpossibleError('no library'));
  const failed = await aNight({ train });
  t.deepEqual(failed.calls, ['build', 'train', 'publish']);
  t.deepEqual(failed.report, {
    build: BUILD,
    training: { problem: 'no library' },
    publish: PUBLISH,
  });
  t.deepEqual(failed.warnings, ['no library']);

  const isTrainingDue = () => Promise.reject(new Error('a manifest is damaged'));
  const unknown = await aNight({ isTrainingDue });
  t.deepEqual(unknown.calls, ['build', 'publish']);
  t.deepEqual(unknown.warnings, ['a manifest is damaged']);
});

test('nothing is learned from a history whose checks fail', async (t) => {
  const checks = [{ check: 'rates', severity: 'error' as const, failures: 1 }];
  const { calls } = await aNight({ buildFeatures: async () => ({ ...BUILD, checks }) });
  t.deepEqual(calls, ['build', 'publish']);
});
