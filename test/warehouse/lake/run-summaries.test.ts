import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../../warehouse/connect.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { createViews } from '../../../warehouse/build/views.ts';
import { listRunIds, writeRun, type Run } from '../../../warehouse/lake/ledger.ts';
import { loadRuns } from '../../../warehouse/lake/ledger-tables.ts';
import { foldRuns, readSummaries } from '../../../warehouse/lake/run-summaries.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';

const UNTIL = new Date('2025-03-01T00:00:00Z');

/** A run that began at `startedAt` and took a minute. */
function aRun(startedAt: string, step: Run['step'] = 'load', changes: Partial<Run> = {}): Run {
  return {
    id: `${startedAt.replaceAll(/[-:.]/g, '')}-${step}-abc123`,
    step,
    outcome: 'done',
    startedAt,
    finishedAt: new Date(Date.parse(startedAt) + 60_000).toISOString(),
    codeVersion: '1',
    inputs: [],
    rowsIn: 10,
    ...changes,
  };
}

const RUNS = [
  aRun('2025-01-02T01:00:00.000Z', 'build'),
  aRun('2025-01-03T01:00:00.000Z'),
  aRun('2025-01-31T23:59:59.999Z'),
  aRun('2025-02-01T01:00:00.000Z', 'load', { outcome: 'failed', error: 'no' }),
  aRun('2025-02-02T01:00:00.000Z', 'build', { outcome: 'failed', error: 'no' }),
  aRun('2025-03-02T01:00:00.000Z'),
];

async function aLedger(t: ExecutionContext): Promise<string> {
  const runsDir = await tempDir(t);
  for (const run of RUNS) await writeRun(runsDir, run);
  return runsDir;
}

test('old runs are folded into monthly summaries; the newest run and the newest done run of each step are not folded', async (t) => {
  const runsDir = await aLedger(t);
  t.is(await foldRuns(runsDir, UNTIL), 3);
  // The last build failed, so the last build that succeeded is not folded either. The newest load is later than UNTIL.
  t.deepEqual(
    await listRunIds(runsDir),
    [RUNS[0], RUNS[4], RUNS[5]].map((run) => run?.id ?? ''),
  );
  const summary = { step: 'load', seconds: 60, rowsOut: 0, rowsRejected: 0 };
  t.deepEqual(await readSummaries(runsDir), [
    {
      ...{
        month: '2025-01-01',
        ...summary,
        outcome: 'done',
        runCount: 2,
        seconds: 120,
        rowsIn: 20,
      },
      ...{ firstAt: '2025-01-03T01:00:00.000Z', lastAt: '2025-01-31T23:59:59.999Z' },
    },
    {
      ...{ month: '2025-02-01', ...summary, outcome: 'failed', runCount: 1, rowsIn: 10 },
      ...{ firstAt: '2025-02-01T01:00:00.000Z', lastAt: '2025-02-01T01:00:00.000Z' },
    },
  ]);
  t.is(await foldRuns(runsDir, UNTIL), 0);
});

test('a killed fold is continued, and no run is counted twice', async (t) => {
  const runsDir = await aLedger(t);
  await foldRuns(runsDir, UNTIL);
  const whole = await readSummaries(runsDir);
  // The process was killed while it added runs to the summary. The first run is in the summary, and its file still exists.
  const [, first, second] = RUNS;
  const file = path.join(runsDir, '2025-01', 'summary.json');
  const { runs } = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ runs, folded: [first?.id, second?.id] }));
  for (const run of [first, second]) if (run) await writeRun(runsDir, run);
  t.is(await foldRuns(runsDir, UNTIL), 0);
  t.deepEqual(await readSummaries(runsDir), whole);
  t.is((await listRunIds(runsDir)).length, 3);
  // The old build is folded into the same summary once a newer build is done.
  await writeRun(runsDir, aRun('2025-03-03T01:00:00.000Z', 'build'));
  t.is(await foldRuns(runsDir, UNTIL), 2);
  t.deepEqual(
    (await readSummaries(runsDir)).map(({ month, step, runCount }) => [month, step, runCount]),
    [
      ['2025-01-01', 'load', 2],
      ['2025-01-01', 'build', 1],
      ['2025-02-01', 'load', 1],
      ['2025-02-01', 'build', 1],
    ],
  );
  t.deepEqual(await readdir(path.join(runsDir, '2025-01')), ['summary.json']);
});

test('SQL counts the same runs before and after a fold, and in a new warehouse', async (t) => {
  const runsDir = await aLedger(t);
  const countRuns = async (isNew: boolean) => {
    const db = isNew ? await aWarehouse(t) : old;
    await loadRuns(db, runsDir);
    return db.rows(
      `select month::varchar as month, step, outcome, run_count, seconds, rows_in from runs_by_month`,
    );
  };
  const old = await aWarehouse(t);
  const before = await countRuns(false);
  t.deepEqual(before[0], {
    ...{ month: '2025-01-01', step: 'build', outcome: 'done' },
    ...{ run_count: 1, seconds: 60, rows_in: 10 },
  });
  await foldRuns(runsDir, UNTIL);
  t.deepEqual(await countRuns(false), before);
  t.deepEqual(await countRuns(true), before);
  const [remaining] = await old.rows('select count(*)::integer as n from ops.runs');
  t.deepEqual(remaining, { n: 3 });
});

async function aWarehouse(t: ExecutionContext) {
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  await migrate(db);
  await createViews(db, '/nowhere');
  return db;
}
