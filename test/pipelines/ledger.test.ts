import test from 'ava';
import { recorded, type Ledger } from '../../pipelines/ledger.ts';
import type { Run } from '../../warehouse/lake/ledger.ts';

/** A ledger whose clock goes on by 1.5 s from one look to the next. */
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

test('work that is done is recorded with its facts, and its result passed on', async (t) => {
  const { ledger, runs } = aLedger();
  const result = await recorded(
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

test('work that fails is recorded with its error, which is thrown on', async (t) => {
  const { ledger, runs } = aLedger();
  const work = recorded(
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

test('a failure that cannot be recorded is told as itself', async (t) => {
  const ledger = { ...aLedger().ledger, record: () => Promise.reject(new Error('disk full')) };
  const work = recorded(
    'build',
    ledger,
    () => Promise.reject(new Error('no such column')),
    () => Promise.reject(new Error('no facts')),
  );
  await t.throwsAsync(work, { message: 'no such column' });
});

test('a run that cannot be recorded is no success', async (t) => {
  const ledger = { ...aLedger().ledger, record: () => Promise.reject(new Error('disk full')) };
  await t.throwsAsync(
    recorded(
      'build',
      ledger,
      async () => 1,
      () => ({ inputs: [] }),
    ),
    { message: 'disk full' },
  );
});
