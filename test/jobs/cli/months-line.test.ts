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
      why: 'not published yet (the server answers 404)',
      rowsLoaded: 0,
      rowsRejected: 0,
    },
  },
  {
    month: '2025-03',
    seconds: 1,
    failure: '2025_3.zip: contains 2024-03',
    isFinal: true,
  },
];

/** Returns the text that `monthsLine` writes while the three months end. */
function progressText(isTTY: boolean): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 200 });
  const line = monthsLine(3, stream);
  for (const end of ENDS) line.onEnd(end, monthJobs(end.month, REQUEST));
  line.end();
  return String(stream.read());
}

test('without a terminal, each month is a line', (t) => {
  t.is(
    progressText(false),
    '[1/3] 2025-01 done: 583,000 rows, 12 rejected, 12.3 s\n' +
      '[2/3] 2025-02 skipped: not published yet (the server answers 404)\n' +
      '[3/3] 2025-03 failed: 2025_3.zip: contains 2024-03\n',
  );
});

test('on a terminal, a bar shows the months, and failures are printed above it', (t) => {
  const text = progressText(true);
  t.regex(text, /backfill [█░]+ 33%\s+1 of 3 months, 2025-01/);
  t.regex(text, /2025-03 failed: 2025_3\.zip: contains 2024-03/);
  t.notRegex(text, /\[1\/3\]/);
});

test('the table shows the outcome of each month and the totals, followed by the reason of a failure', (t) => {
  const summary = backfillSummary(ENDS);
  t.regex(summary, /│ 2025-01 │ done +│ 583,000 │ +12 │ 12\.3 +│/);
  t.regex(
    summary,
    /│ 2025-02 │ skipped: not published yet \(the server answers 404\) │ +│ +│ 0\.1 +│/,
  );
  t.regex(summary, /│ 2025-03 │ failed +│ +│ +│ 1\.0 +│/);
  t.regex(summary, /│ total +│ 1 done, 1 skipped, 1 failed +│ 583,000 │ +12 │ 13\.4 +│/);
  t.regex(
    summary,
    /\n2025-03: 2025_3\.zip: contains 2024-03\nFailed months are unchanged\.\nNext: make features publish\n$/,
  );
});

test('a reason is printed once for all its months, and without the source that the table shows', (t) => {
  const ends = ['2025-01', '2025-02', '2025-04'].map((month) => ({
    ...{ month, seconds: 1, failure: 'the hours are of another zone', isFinal: true as const },
  }));
  t.regex(
    backfillSummary(ends),
    /\n2025-01\.\.2025-02,2025-04: the hours are of another zone\nFailed months/,
  );
  const stream = Object.assign(new PassThrough(), { isTTY: false, columns: 200 });
  const line = monthsLine(3, stream);
  for (const end of ends) line.onEnd(end, monthJobs(end.month, REQUEST));
  line.end();
  const [, second] = String(stream.read()).split('\n');
  t.is(second, '[2/3] 2025-02 failed like 2025-01');
  const from = 'https://bts.example/2025_1.zip';
  const why = `${from}: the server answers 503`;
  const plan = planTable([{ month: '2025-01', action: 'fail', why, from }]);
  t.regex(plan, /│ fail: the server answers 503 │ https:\/\/bts\.example\/2025_1\.zip │/);
});

test('a retry is suggested only after errors that a retry may fix', (t) => {
  const outage = {
    month: '2025-03',
    seconds: 1,
    failure: 'the server answers 503',
    isFinal: false,
  };
  t.regex(
    backfillSummary([outage]),
    /\nFailed months are unchanged; to retry, run the same command again\.\n$/,
  );
});
