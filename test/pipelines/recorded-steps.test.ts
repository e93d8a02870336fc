import test from 'ava';
import type { Run } from '../../warehouse/lake/ledger.ts';
import type { TrainReport } from '../../pipelines/model/train-step.ts';
import { recordedSteps } from '../../pipelines/recorded-steps.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import type { LakeHistory } from '../../warehouse/lake/history.ts';

const NONE: LakeHistory = { months: [], rows: 0, sha256: 'of nothing' };
const TRAINED: TrainReport = {
  isReleased: false,
  why: 'not released: no skill',
  months: ['2018-01', '2018-02'],
  dataSha256: 'of two months',
  rows: 200,
  contract: 'contract',
};

/** The entry that a training leaves when the lake holds this once it is over. */
async function entryOf(train: () => Promise<TrainReport>, lake: LakeHistory): Promise<Run> {
  const runs: Run[] = [];
  const steps = recordedSteps({ train } as Partial<PipelineSteps> as PipelineSteps, {
    ledger: {
      record: async (run) => void runs.push(run),
      codeVersion: 'test',
      now: () => new Date('2026-11-21T12:00:00Z'),
      randomLetters: () => 'abcdef',
    },
    hashOf: async () => undefined,
    lakeMonths: async () => [],
    levelMonths: async () => [],
    lakeHistory: async () => lake,
    loadedMonths: async () => [],
    loadRuns: async () => undefined,
    copyForReaders: async () => undefined,
  });
  await steps.train({}, () => undefined).catch(() => undefined);
  return runs[0] as Run;
}

test('a training is entered with what it learned from, not with months that came meanwhile', async (t) => {
  const lake = { months: [...TRAINED.months, '2018-03'], rows: 300, sha256: 'of three months' };
  t.like(await entryOf(async () => TRAINED, lake), {
    outcome: 'done',
    inputs: [{ name: '2 months, 2018-01 to 2018-02', sha256: 'of two months' }],
    rowsIn: 200,
    detail: TRAINED,
  });
});

test('one that failed is entered with what the lake holds, an empty lake with no input', async (t) => {
  const fails = () => Promise.reject(new Error('killed'));
  const lake = { months: ['2018-01', '2018-02'], rows: 100, sha256: 'of both' };
  t.like(await entryOf(fails, lake), {
    outcome: 'failed',
    inputs: [{ name: '2 months, 2018-01 to 2018-02', sha256: 'of both' }],
    rowsIn: 100,
  });
  const onNothing = await entryOf(fails, NONE);
  t.deepEqual(onNothing.inputs, []);
  t.false('rowsIn' in onNothing);
});
