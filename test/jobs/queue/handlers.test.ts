import test from 'ava';
import { CorruptFileError, WarehouseTooNewError } from '../../../warehouse/errors.ts';
import { UnrecoverableError } from 'bullmq';
import type { Job } from 'bullmq';
import { handle, type HandlerDeps } from '../../../jobs/queue/handlers.ts';
import {
  ChecksFailedError,
  NothingBuiltError,
  SourceFormatError,
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

/** What the handler of that name gives, with only these steps. */
function run(name: string, job: object, steps: object): Promise<unknown> {
  return handle({ name, ...job } as Job, { steps } as HandlerDeps);
}

test('extract-file passes on path and year and gives the report', async (t) => {
  const seen: unknown[] = [];
  const steps = {
    extractFile: async (request: unknown) => {
      seen.push(request);
      return aReport('a.csv', ['2018-01']);
    },
  };
  const report = await run(
    'extract-file',
    aJob({ path: '/a.csv', sha256: 'abc', year: 2018 }),
    steps,
  );
  await run('extract-file', aJob({ path: '/a.csv', sha256: 'abc' }), steps);
  t.deepEqual(seen, [{ path: '/a.csv', year: 2018 }, { path: '/a.csv' }]);
  t.deepEqual(report, aReport('a.csv', ['2018-01']));
});

test('load-months loads what its extract wrote, and not what was refused', async (t) => {
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

test('load-months loads months of the delay-cause table apart from those of flights', async (t) => {
  const report = aReport('table.csv', ['2025-02', '2025-01']);
  const ofTable = { ...report, source: { ...report.source, form: 'delay_causes' } };
  const job = {
    ...aJob({ sha256: 'abc' }),
    getChildrenValues: (async () => ({ child: ofTable })) as Job['getChildrenValues'],
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

test('a file that is no flight file is not tried again', async (t) => {
  const extract = async () => {
    throw new SourceFormatError('a.csv', 'no header we know');
  };
  await t.throwsAsync(
    run('extract-file', aJob({ path: '/a.csv', sha256: 'abc' }), { extractFile: extract }),
    { instanceOf: UnrecoverableError, message: 'a.csv: no header we know' },
  );
});

test('a publish stopped by its checks is not tried again', async (t) => {
  const publishStore = async () => {
    throw new ChecksFailedError(['rates']);
  };
  await t.throwsAsync(run('publish', aJob({}), { publishStore }), {
    instanceOf: UnrecoverableError,
    message: 'not published: failing checks: rates',
  });
});

test('a publish before any build is not tried again', async (t) => {
  const publishStore = async () => {
    throw new NothingBuiltError();
  };
  await t.throwsAsync(run('publish', aJob({}), { publishStore }), {
    instanceOf: UnrecoverableError,
  });
});

test('a training that cannot be is not tried again, one whose process was killed is', async (t) => {
  const failing = async (problem: Error) => {
    const steps = {
      train: async () => {
        throw problem;
      },
    };
    return run('train', aJob({}), steps);
  };
  await t.throwsAsync(failing(new TrainingImpossibleError('libxgboost.so.0 is not installed')), {
    instanceOf: UnrecoverableError,
    message: 'libxgboost.so.0 is not installed',
  });
  const killed = new Error('the training was ended (SIGKILL)');
  t.is(await t.throwsAsync(failing(killed)), killed);
});

test('a damaged file is not read again: it will be no better', async (t) => {
  const build = async () => {
    throw new CorruptFileError('manifest.json', 'not what was sealed');
  };
  await t.throwsAsync(run('build-features', aJob({}), { buildFeatures: build }), {
    instanceOf: UnrecoverableError,
    message: 'manifest.json: not what was sealed',
  });
});

test('a warehouse of newer code is not opened again by this one', async (t) => {
  const build = async () => {
    throw new WarehouseTooNewError('0099_new.sql');
  };
  await t.throwsAsync(run('build-features', aJob({}), { buildFeatures: build }), {
    instanceOf: UnrecoverableError,
  });
});

test('a job no handler knows is not tried again', async (t) => {
  await t.throwsAsync(run('unheard-of', aJob({}), {}), {
    instanceOf: UnrecoverableError,
    message: 'no handler for unheard-of',
  });
});

test('any other error is left as it is, to be tried again', async (t) => {
  const outage = new Error('disk away');
  const build = async () => {
    throw outage;
  };
  const error = await t.throwsAsync(run('build-features', aJob({}), { buildFeatures: build }));
  t.is(error, outage);
});

test('of progress that comes fast, the first and the last are reported', async (t) => {
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
  const job = { data: {}, updateProgress: () => Promise.reject(new Error('Redis away')) };
  const publishStore = async (progress: Progress) => {
    progress(1, 1, 'files');
    return { version: 'v1', months: [], bytes: 0 };
  };
  t.like(await run('publish', job, { publishStore }), { version: 'v1' });
});
