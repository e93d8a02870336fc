import test from 'ava';
import type { Run } from '../../warehouse/lake/ledger.ts';
import type { TrainReport } from '../../pipelines/model/train-step.ts';
import { recordSteps, type RecordDeps } from '../../pipelines/recorded-steps.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import type { LevelManifest } from '../../warehouse/lake/level-lake.ts';
import type { LakeHistory } from '../../warehouse/lake/history.ts';

const EMPTY_LAKE: LakeHistory = { months: [], rows: 0, sha256: 'of nothing' };
const TRAINED: TrainReport = {
  isReleased: false,
  why: 'not released: no skill',
  months: ['2018-01', '2018-02'],
  dataSha256: 'of two months',
  rows: 200,
  contract: 'contract',
};

/** Runs work with recorded steps and returns the ledger entries. */
async function entriesOf(
  steps: Partial<PipelineSteps>,
  deps: Partial<RecordDeps>,
  work: (steps: PipelineSteps) => Promise<unknown>,
): Promise<Run[]> {
  const runs: Run[] = [];
  const recordedSteps = recordSteps(steps as PipelineSteps, {
    ledger: {
      record: async (run) => void runs.push(run),
      codeVersion: 'test',
      now: () => new Date('2026-11-21T12:00:00Z'),
      randomLetters: () => 'abcdef',
    },
    hashOf: async () => undefined,
    lakeMonths: async () => [],
    levelMonths: async () => [],
    lakeHistory: async () => EMPTY_LAKE,
    loadedMonths: async () => [],
    loadRuns: async () => undefined,
    copyForReaders: async () => undefined,
    ...deps,
  });
  await work(recordedSteps).catch(() => undefined);
  return runs;
}

/** Returns the ledger entry of a training; `lake` is the history in the lake after the training. */
async function entryOf(train: () => Promise<TrainReport>, lake: LakeHistory): Promise<Run> {
  const [run] = await entriesOf({ train }, { lakeHistory: async () => lake }, (steps) =>
    steps.train({}, () => undefined),
  );
  return run as Run;
}

test('a training is recorded with the months it learned from, not with months added meanwhile', async (t) => {
  const lake = { months: [...TRAINED.months, '2018-03'], rows: 300, sha256: 'of three months' };
  t.like(await entryOf(async () => TRAINED, lake), {
    outcome: 'done',
    inputs: [{ name: '2 months, 2018-01 to 2018-02', sha256: 'of two months' }],
    rowsIn: 200,
    detail: TRAINED,
  });
});

test('a failed training is recorded with the months of the lake, for an empty lake without input', async (t) => {
  const failingTraining = () => Promise.reject(new Error('killed'));
  const lake = { months: ['2018-01', '2018-02'], rows: 100, sha256: 'of both' };
  t.like(await entryOf(failingTraining, lake), {
    outcome: 'failed',
    inputs: [{ name: '2 months, 2018-01 to 2018-02', sha256: 'of both' }],
    rowsIn: 100,
  });
  const emptyRun = await entryOf(failingTraining, EMPTY_LAKE);
  t.deepEqual(emptyRun.inputs, []);
  t.false('rowsIn' in emptyRun);
});

/** Returns the ledger entry of loading these months of the delay-cause table from a lake with three months. */
async function levelEntry(months: string[], isSuccessful: boolean): Promise<Run> {
  const manifests = ['2025-01', '2025-02', '2025-03'].map((month) => ({
    month,
    source: { sha256: `table of ${month}` },
    rows: { loaded: 10 },
    extractedAt: '2026-11-01T10:00:00Z',
  }));
  const report = { months, flights: 4_000 };
  const loadDelayCauses = () =>
    isSuccessful ? Promise.resolve(report) : Promise.reject(new Error('disk full'));
  const [run] = await entriesOf(
    { loadDelayCauses },
    { levelMonths: async () => manifests as unknown as LevelManifest[] },
    (steps) => steps.loadDelayCauses(months, () => undefined),
  );
  return run as Run;
}

test('loaded months of the delay-cause table are one input, whose hash depends on the months', async (t) => {
  const two = await levelEntry(['2025-01', '2025-03'], true);
  t.like(two, {
    ...{ step: 'load', outcome: 'done', rowsIn: 20, rowsOut: 20 },
    detail: { table: 'delay_causes' },
  });
  t.is(two.inputs[0]?.name, '2 months, 2025-01 to 2025-03');
  const three = await levelEntry(['2025-01', '2025-02', '2025-03'], true);
  t.not(three.inputs[0]?.sha256, two.inputs[0]?.sha256);
  const failed = await levelEntry(['2025-01', '2025-03'], false);
  t.deepEqual([failed.outcome, failed.inputs], ['failed', two.inputs]);
  t.false('detail' in failed);
});
