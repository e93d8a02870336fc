import test from 'ava';
import { recentRuns } from '../../../../jobs/cli/status/recent-runs.ts';
import { newestRun, type Run, type RunStep } from '../../../../warehouse/lake/ledger.ts';

/** A ledger of runs an hour apart, which counts what is read of it. */
function aLedger(steps: RunStep[], isDone: (id: string, index: number) => boolean = () => true) {
  const runs = steps.map((step, index): Run => {
    const at = new Date(Date.UTC(2020, 0, 1, index)).toISOString();
    return {
      id: `${at.replaceAll(/[-:.]/g, '')}-${step}-abc123`,
      step,
      outcome: isDone(step, index) ? 'done' : 'failed',
      startedAt: at,
      finishedAt: at,
      codeVersion: 'test',
      inputs: [],
    };
  });
  const read = new Set<string>();
  return {
    runs,
    read,
    files: {
      ids: async () => runs.map(({ id }) => id),
      read: async (ids: string[]) => {
        for (const id of ids) read.add(id);
        return runs.filter(({ id }) => ids.includes(id));
      },
    },
  };
}

const repeated = (count: number, ...steps: RunStep[]) =>
  Array.from({ length: count }, () => steps).flat();

test('of a long ledger only what is shown is read', async (t) => {
  const ledger = aLedger([
    ...repeated(3_000, 'extract', 'load', 'build', 'publish'),
    ...repeated(12, 'load'),
  ]);
  const recent = await recentRuns(ledger.files);

  t.deepEqual(recent.newest, ledger.runs.slice(-10));
  t.is(recent.extracts.length, 1_000);
  t.deepEqual(
    recent.extracts.at(-1),
    ledger.runs.findLast(({ step }) => step === 'extract'),
  );
  // 10 newest, 1,000 extracts, 20 builds with one more before them, and 20 publishes.
  t.is(ledger.read.size, 1_051);
});

test('the last build is told though it failed, and the last one done beside it', async (t) => {
  const ledger = aLedger(
    ['build', 'publish', ...repeated(30, 'build', 'publish'), 'rebuild'],
    (_, index) => index < 2,
  );
  const { built, buildDone, buildBefore, publishDone } = await recentRuns(ledger.files);

  t.is(buildBefore, undefined);
  t.is(built, ledger.runs.at(-1));
  t.is(buildDone, ledger.runs[0]);
  t.is(publishDone, ledger.runs[1]);
});

test('the build done before the last one done is told, for what has become of its checks', async (t) => {
  const ledger = aLedger(repeated(4, 'build', 'publish'), (_, index) => index !== 4);
  const { buildDone, buildBefore } = await recentRuns(ledger.files);
  t.is(buildDone, ledger.runs[6]);
  t.is(buildBefore, ledger.runs[2]);
});

test('the last training is told, failed or not', async (t) => {
  const ledger = aLedger(['train', 'publish', 'train', 'publish'], (_, index) => index < 2);
  t.is((await recentRuns(ledger.files)).trained, ledger.runs[2]);
  t.is(await newestRun(ledger.files, ['train'], 'done'), ledger.runs[0]);
});

test('an empty ledger tells nothing', async (t) => {
  t.deepEqual(await recentRuns(aLedger([]).files), {
    newest: [],
    extracts: [],
    built: undefined,
    buildDone: undefined,
    buildBefore: undefined,
    publishDone: undefined,
    trained: undefined,
  });
});
