import test from 'ava';
import {
  CorruptFileError,
  WarehouseTooNewError,
  SourceFormatError,
} from '../../../warehouse/errors.ts';
import { UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import { handleJob, type HandlerDeps } from '../../../jobs/queue/handlers.ts';
import {
  ChecksFailedError,
  NothingBuiltError,
  TrainingImpossibleError,
} from '../../../pipelines/errors.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import { aReport } from '../helpers/fake-steps.ts';

function aJob<T>(data: T) {
  const progress: unknown[] = [];
  return {
    data,
    progress,
    updateProgress: async (value: unknown) => void progress.push(value),
  };
}

/** Runs the handler with this name, with only these steps. */
function run(name: string, job: object, steps: object): Promise<unknown> {
  return handleJob({ name, ...job } as Job, { steps } as HandlerDeps);
}

test('extract-file passes on path and year and returns the report', async (t) => {
  const requests: unknown[] = [];
  const steps = {
    extractFile: async (request: unknown) => {
      requests.push(request);
      return aReport('a.csv', ['2018-01']);
    },
  };
  const report = await run(
    'extract-file',
    aJob({ path: '/a.csv', sha256: 'abc', year: 2018 }),
    steps,
  );
  await run('extract-file', aJob({ path: '/a.csv', sha256: 'abc' }), steps);
  t.deepEqual(requests, [{ path: '/a.csv', year: 2018 }, { path: '/a.csv' }]);
  t.deepEqual(report, aReport('a.csv', ['2018-01']));
});

test('load-months loads the months that its extract wrote, but not refused months', async (t) => {
  const report = aReport('a.csv', ['2018-03', '2018-01', '2018-02'], ['2018-02']);
  const job = {
    ...aJob({ sha256: 'abc' }),
    getChildrenValues: (async () => ({ child: report })) as Job['getChildrenValues'],
  };
  const steps = {
    loadMonths: async (months: string[]) => ({ months, flights: 200 }),
    loadDelayCauses: () => Promise.reject(new Error('not the table')),
  };
  t.deepEqual(await run('load-months', job, steps), {
    months: ['2018-01', '2018-03'],
    flights: 200,
  });
});

test('load-months loads months of the delay-cause table with their own step', async (t) => {
  const report = aReport('table.csv', ['2025-02', '2025-01']);
  const tableReport = { ...report, source: { ...report.source, form: 'delay_causes' } };
  const job = {
    ...aJob({ sha256: 'abc' }),
    getChildrenValues: (async () => ({ child: tableReport })) as Job['getChildrenValues'],
  };
  const steps = {
    loadMonths: () => Promise.reject(new Error('not flights')),
    loadDelayCauses: async (months: string[]) => ({ months, flights: 300 }),
  };
  t.deepEqual(await run('load-months', job, steps), {
    months: ['2025-01', '2025-02'],
    flights: 300,
  });
});

test('a file with an unknown header is not retried', async (t) => {
  const extract = async () => {
    throw new SourceFormatError('a.csv', 'unknown header');
  };
  await t.throwsAsync(
    run('extract-file', aJob({ path: '/a.csv', sha256: 'abc' }), { extractFile: extract }),
    { instanceOf: UnrecoverableError, message: 'a.csv: unknown header' },
  );
});

test('a publish stopped by checks is not retried', async (t) => {
  const publishStore = async () => {
    throw new ChecksFailedError(['rates']);
  };
  await t.throwsAsync(run('publish', aJob({}), { publishStore }), {
    instanceOf: UnrecoverableError,
    message: 'not published: failing checks: rates',
  });
});

test('a publish before any build is not retried', async (t) => {
  const publishStore = async () => {
    throw new NothingBuiltError();
  };
  await t.throwsAsync(run('publish', aJob({}), { publishStore }), {
    instanceOf: UnrecoverableError,
  });
});

test('an impossible training is not retried, but a training whose process was killed is retried', async (t) => {
  const runFailingTraining = async (problem: Error) => {
    const steps = {
      train: async () => {
        throw problem;
      },
    };
    return run('train', aJob({}), steps);
  };
  await t.throwsAsync(
    runFailingTraining(new TrainingImpossibleError('libxgboost.so.0 is not installed')),
    {
      instanceOf: UnrecoverableError,
      message: 'libxgboost.so.0 is not installed',
    },
  );
  const killError = new Error('the training process ended (SIGKILL)');
  t.is(await t.throwsAsync(runFailingTraining(killError)), killError);
});

test('a job that reads a damaged file is not retried', async (t) => {
  const build = async () => {
    throw new CorruptFileError('manifest.json', 'not what was sealed');
  };
  await t.throwsAsync(run('build-features', aJob({}), { buildFeatures: build }), {
    instanceOf: UnrecoverableError,
    message: 'manifest.json: not what was sealed',
  });
});

test('a job that finds a warehouse of newer code is not retried', async (t) => {
  const build = async () => {
    throw new WarehouseTooNewError('0099_new.sql');
  };
  await t.throwsAsync(run('build-features', aJob({}), { buildFeatures: build }), {
    instanceOf: UnrecoverableError,
  });
});

test('a job without a handler is not retried', async (t) => {
  await t.throwsAsync(run('unknown-job', aJob({}), {}), {
    instanceOf: UnrecoverableError,
    message: 'no handler for unknown-job',
  });
});

test('any other error is passed on unchanged, so that the job is retried', async (t) => {
  const outage = new Error('disk unavailable');
  const build = async () => {
    throw outage;
  };
  const error = await t.throwsAsync(run('build-features', aJob({}), { buildFeatures: build }));
  t.is(error, outage);
});

test('during fast progress, the first and the last values are reported', async (t) => {
  const job = aJob({});
  const build = async (progress: Progress) => {
    for (const done of [1, 2, 3]) progress(done, 3, 'marts');
    return { rows: {}, checks: [] };
  };
  await run('build-features', job, { buildFeatures: build });
  t.deepEqual(job.progress, [
    { done: 1, total: 3, what: 'marts' },
    { done: 3, total: 3, what: 'marts' },
  ]);
});

test('progress that cannot be reported does not fail the job', async (t) => {
  const job = { data: {}, updateProgress: () => Promise.reject(new Error('Redis unreachable')) };
  const publishStore = async (progress: Progress) => {
    progress(1, 1, 'files');
    return { version: 'v1', months: [], bytes: 0 };
  };
  t.like(await run('publish', job, { publishStore }), { version: 'v1' });
});
