import test from 'ava';
import { readRecentRuns } from '../../../../jobs/cli/status/recent-runs.ts';
import { newestRun, type Run, type RunStep } from '../../../../warehouse/lake/ledger.ts';

/** A ledger of runs one hour apart, which records the ids that are read. */
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

const repeatRuns = (count: number, ...steps: RunStep[]) =>
  Array.from({ length: count }, () => steps).flat();

test('only the runs that are shown are read from a long ledger', async (t) => {
  const ledger = aLedger([
    ...repeatRuns(3_000, 'extract', 'load', 'build', 'publish'),
    ...repeatRuns(12, 'load'),
  ]);
  const recent = await readRecentRuns(ledger.files);

  t.deepEqual(recent.newest, ledger.runs.slice(-10));
  t.is(recent.extracts.length, 1_000);
  t.deepEqual(
    recent.extracts.at(-1),
    ledger.runs.findLast(({ step }) => step === 'extract'),
  );
  // 10 newest, 1,000 extracts, 20 builds with one more before them, and 20 publishes.
  t.is(ledger.read.size, 1_051);
});

test('the last build and the last successful build are returned', async (t) => {
  const ledger = aLedger(
    ['build', 'publish', ...repeatRuns(30, 'build', 'publish'), 'rebuild'],
    (_, index) => index < 2,
  );
  const { built, buildDone, buildBefore, publishDone } = await readRecentRuns(ledger.files);

  t.is(buildBefore, undefined);
  t.is(built, ledger.runs.at(-1));
  t.is(buildDone, ledger.runs[0]);
  t.is(publishDone, ledger.runs[1]);
});

test('the last two successful builds are returned, to compare their checks', async (t) => {
  const ledger = aLedger(repeatRuns(4, 'build', 'publish'), (_, index) => index !== 4);
  const { buildDone, buildBefore } = await readRecentRuns(ledger.files);
  t.is(buildDone, ledger.runs[6]);
  t.is(buildBefore, ledger.runs[2]);
});

test('the last training is returned, failed or not', async (t) => {
  const ledger = aLedger(['train', 'publish', 'train', 'publish'], (_, index) => index < 2);
  t.is((await readRecentRuns(ledger.files)).trained, ledger.runs[2]);
  t.is(await newestRun(ledger.files, ['train'], 'done'), ledger.runs[0]);
});

test('an empty ledger has no recent runs', async (t) => {
  t.deepEqual(await readRecentRuns(aLedger([]).files), {
    newest: [],
    extracts: [],
    built: undefined,
    buildDone: undefined,
    buildBefore: undefined,
    publishDone: undefined,
    trained: undefined,
  });
});
