import test from 'ava';
import { recordRun, type Ledger } from '../../pipelines/ledger.ts';
import type { Run } from '../../warehouse/lake/ledger.ts';

/** Creates a ledger whose clock advances by 1.5 s with each reading. */
function aLedger() {
  const runs: Run[] = [];
  let time = Date.parse('2026-11-01T02:30:00Z') - 1_500;
  const ledger: Ledger = {
    record: async (run) => void runs.push(run),
    codeVersion: '1.2.3',
    now: () => new Date((time += 1_500)),
    randomLetters: () => 'abc123',
  };
  return { ledger, runs };
}

test('a successful run is recorded with its facts, and its result is returned', async (t) => {
  const { ledger, runs } = aLedger();
  const result = await recordRun(
    'load',
    ledger,
    async () => 7,
    (rows) => ({ inputs: [{ name: '2018-07', sha256: 'abc' }], rowsIn: 7, rowsOut: rows ?? 0 }),
  );
  t.is(result, 7);
  t.deepEqual(runs, [
    {
      id: '20261101T023000000Z-load-abc123',
      step: 'load',
      outcome: 'done',
      startedAt: '2026-11-01T02:30:00.000Z',
      finishedAt: '2026-11-01T02:30:01.500Z',
      codeVersion: '1.2.3',
      inputs: [{ name: '2018-07', sha256: 'abc' }],
      rowsIn: 7,
      rowsOut: 7,
    },
  ]);
});

test('a failed run is recorded with its error, and the error is rethrown', async (t) => {
  const { ledger, runs } = aLedger();
  const work = recordRun(
    'build',
    ledger,
    () => Promise.reject(new Error('disk full')),
    () => ({ inputs: [] }),
  );
  await t.throwsAsync(work, { message: 'disk full' });
  t.deepEqual(
    runs.map(({ step, outcome, error }) => ({ step, outcome, error })),
    [{ step: 'build', outcome: 'failed', error: 'disk full' }],
  );
});

test('if a failure cannot be recorded, the original error is thrown', async (t) => {
  const ledger = { ...aLedger().ledger, record: () => Promise.reject(new Error('disk full')) };
  const work = recordRun(
    'build',
    ledger,
    () => Promise.reject(new Error('no such column')),
    () => Promise.reject(new Error('no facts')),
  );
  await t.throwsAsync(work, { message: 'no such column' });
});

test('a successful run that cannot be recorded fails', async (t) => {
  const ledger = { ...aLedger().ledger, record: () => Promise.reject(new Error('disk full')) };
  await t.throwsAsync(
    recordRun(
      'build',
      ledger,
      async () => 1,
      () => ({ inputs: [] }),
    ),
    { message: 'disk full' },
  );
});
