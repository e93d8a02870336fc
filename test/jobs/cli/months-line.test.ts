import { PassThrough } from 'node:stream';
import test from 'ava';
import { backfillSummary, planTable } from '../../../jobs/cli/commands/backfill-summary.ts';
import type { MonthEnd } from '../../../jobs/cli/follow-months.ts';
import { monthsLine } from '../../../jobs/cli/months-line.ts';
import { monthJobs } from '../../../jobs/queue/month-jobs.ts';

const REQUEST = { source: { kind: 'folder', path: '/flights' }, force: false } as const;

const ENDS: MonthEnd[] = [
  {
    month: '2025-01',
    seconds: 12.34,
    result: { month: '2025-01', outcome: 'done', rowsLoaded: 583_000, rowsRejected: 12 },
  },
  {
    month: '2025-02',
    seconds: 0.1,
    result: {
      month: '2025-02',
      outcome: 'absent',
      why: 'not out yet (the server answers 404)',
      rowsLoaded: 0,
      rowsRejected: 0,
    },
  },
  {
    month: '2025-03',
    seconds: 1,
    failure: '2025_3.zip: holds 2024-03, not just 2025-03',
    isFinal: true,
  },
];

/** What is written while the three months end. */
function written(isTTY: boolean): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 200 });
  const line = monthsLine(3, stream);
  for (const end of ENDS) line.ended(end, monthJobs(end.month, REQUEST));
  line.end();
  return String(stream.read());
}

test('away from a terminal, each month is a line', (t) => {
  t.is(
    written(false),
    '[1/3] 2025-01 done: 583,000 rows, 12 rejected, 12.3 s\n' +
      '[2/3] 2025-02 skipped: not out yet (the server answers 404)\n' +
      '[3/3] 2025-03 failed: 2025_3.zip: holds 2024-03, not just 2025-03\n',
  );
});

test('on a terminal there is a bar over the months, and failures stand above it', (t) => {
  const text = written(true);
  t.regex(text, /backfill [█░]+ 33%\s+1 of 3 months, 2025-01/);
  t.regex(text, /2025-03 failed: 2025_3\.zip: holds 2024-03/);
  t.notRegex(text, /\[1\/3\]/);
});

test('the table says how each month ended, adds up, and says why one failed', (t) => {
  const summary = backfillSummary(ENDS);
  t.regex(summary, /│ 2025-01 │ done +│ 583,000 │ +12 │ 12\.3 +│/);
  t.regex(summary, /│ 2025-02 │ skipped: not out yet \(the server answers 404\) │ +│ +│ 0\.1 +│/);
  t.regex(summary, /│ 2025-03 │ failed +│ +│ +│ 1\.0 +│/);
  t.regex(summary, /│ total +│ 1 done, 1 skipped, 1 failed +│ 583,000 │ +12 │ 13\.4 +│/);
  t.regex(
    summary,
    /\n2025-03: 2025_3\.zip: holds 2024-03, not just 2025-03\nFailed months keep what they held\.\nNext: make features publish\n$/,
  );
});

test('a reason that many months share, or that names its source, is told once', (t) => {
  const ends = ['2025-01', '2025-02', '2025-04'].map((month) => ({
    ...{ month, seconds: 1, failure: 'the hours are of another zone', isFinal: true as const },
  }));
  t.regex(
    backfillSummary(ends),
    /\n2025-01\.\.2025-02,2025-04: the hours are of another zone\nFailed months/,
  );
  const stream = Object.assign(new PassThrough(), { isTTY: false, columns: 200 });
  const line = monthsLine(3, stream);
  for (const end of ends) line.ended(end, monthJobs(end.month, REQUEST));
  line.end();
  const [, second] = String(stream.read()).split('\n');
  t.is(second, '[2/3] 2025-02 failed as 2025-01 did');
  const from = 'https://bts.example/2025_1.zip';
  const why = `${from}: the server answers 503`;
  const plan = planTable([{ month: '2025-01', action: 'fail', why, from }]);
  t.regex(plan, /│ fail: the server answers 503 │ https:\/\/bts\.example\/2025_1\.zip │/);
});

test('only what may end otherwise is to be tried again', (t) => {
  const outage = {
    month: '2025-03',
    seconds: 1,
    failure: 'the server answers 503',
    isFinal: false,
  };
  t.regex(
    backfillSummary([outage]),
    /\nFailed months keep what they held; run the same command to try again\.\n$/,
  );
});
