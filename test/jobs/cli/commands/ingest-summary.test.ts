import test from 'ava';
import { hasProblem, ingestSummary } from '../../../../jobs/cli/commands/ingest-summary.ts';
import { parseMonthList } from '../../../../jobs/cli/month-list.ts';
import { aReport } from '../../helpers/fake-steps.ts';

const aFile = (name: string, months: string[], refused?: string[]) => ({
  name,
  report: aReport(name, months, refused),
});

const EXTENT = {
  source: 'x',
  form: 'fake',
  rows: 1,
  flights: 1,
  days: 1,
  airports: 1,
  airlines: 1,
};

test('each month has a row, and the totals close the table', (t) => {
  const summary = ingestSummary([aFile('a.csv', ['2018-01', '2018-02'])]);
  t.regex(summary, /│ a\.csv │ fake │ 2018-01 │ +100 │ +100 │ +0 │ written +│/);
  t.regex(summary, /│ total │ +│ +│ +200 │ +200 │ +0 │ +│/);
  t.regex(summary, /Next: make features publish\n$/);
});

test('if two files have the same month, the earlier file is shown as replaced', (t) => {
  const summary = ingestSummary([
    aFile('a.csv', ['2018-01', '2018-02']),
    aFile('b.csv', ['2018-02']),
  ]);
  t.regex(summary, /a\.csv .* 2018-02 .* replaced by b\.csv/);
  t.regex(summary, /a\.csv .* 2018-01 .* written/);
  t.regex(summary, /b\.csv .* 2018-02 .* written/);
});

test('months of two providers do not replace each other, and a command restores those of each', (t) => {
  const british = aFile('caa.csv', ['2018-01']);
  british.report.source.provider = 'caa';
  british.report.months[0]!.replaced = { before: EXTENT, after: EXTENT };
  const summary = ingestSummary([aFile('a.csv', ['2018-01']), british]);
  t.regex(summary, /a\.csv .* 2018-01 .* written/);
  t.regex(summary, /To undo: make restore MONTH=2018-01 PROVIDER=caa\n/);
});

test('months of the delay-cause table have one row per outcome, and do not replace flights', (t) => {
  const { name, report } = aFile('table.csv', ['2018-01', '2018-02', '2018-03'], ['2018-02']);
  const [first, ...rest] = report.months;
  const table = {
    name,
    report: {
      ...report,
      source: { ...report.source, form: 'delay_causes' },
      months: [{ ...first!, rowsEmpty: 7 }, ...rest],
    },
  };
  const summary = ingestSummary([aFile('a.csv', ['2018-01']), table]);
  t.regex(summary, /a\.csv .* 2018-01 .* written/);
  t.regex(summary, /table\.csv .* 2 months from 2018-01 to 2018-03 │ +200 │ +200 │ +0 │ written/);
  t.regex(summary, /table\.csv .* 2018-02 +│ +100 │ +0 │ +100 │ refused/);
  t.regex(summary, /table\.csv: 7 rows have no figures, as the airline had no flights there\n/);
});

test('a refused month replaces nothing', (t) => {
  const summary = ingestSummary([
    aFile('a.csv', ['2018-02']),
    aFile('b.csv', ['2018-02'], ['2018-02']),
  ]);
  t.notRegex(summary, /replaced by/);
  t.regex(summary, /b\.csv .* 2018-02 .* refused/);
});

test('the good rows of a refused month are not counted as loaded', (t) => {
  const { name, report } = aFile('b.csv', ['2018-01', '2018-02']);
  const months = report.months.map((month) =>
    month.month === '2018-02' ? { ...month, outcome: 'refused' as const } : month,
  );
  const summary = ingestSummary([{ name, report: { ...report, months } }]);
  t.regex(summary, /│ 2018-02 │ +100 │ +0 │ +0 │ refused │/);
  t.regex(summary, /│ total │ +│ +│ +200 │ +100 │ +0 │ +│/);
});

test('a file that is listed twice does not replace itself', (t) => {
  const file = aFile('a.csv', ['2018-01']);
  t.notRegex(ingestSummary([file, file]), /replaced by/);
});

test('rows without a month are shown, so that the rows add up', (t) => {
  const report = { ...aReport('a.csv', ['2018-01']), rowsRead: 103, rowsRejected: 3 };
  const summary = ingestSummary([
    { name: 'a.csv', report: { ...report, undatedRejects: { 'no date': 3 } } },
  ]);
  t.regex(summary, /│ no month │ +3 │ +0 │ +3 │ rejected/);
  t.regex(summary, /a\.csv, no month: rejected 3 × no date/);
  t.regex(summary, /│ total │ +│ +│ +103 │ +100 │ +3 │/);
});

test('reasons, notes and failures are printed under the table', (t) => {
  const refused = aFile('a.csv', ['2018-01'], ['2018-01']);
  const summary = ingestSummary([
    { name: 'a.csv', report: { ...refused.report, notes: ['year taken from FL_DATE'] } },
    { name: 'b.csv', failure: 'b.csv: unknown header' },
  ]);
  t.regex(summary, /\na\.csv, 2018-01: rejected 100 × bad date\n/);
  t.regex(summary, /\na\.csv: year taken from FL_DATE\n/);
  t.regex(summary, /\nb\.csv: unknown header\n/);
  t.regex(summary, /Nothing was loaded; lake and warehouse are unchanged\.\n$/);
});

test('a refused month or a failed file is a problem', (t) => {
  t.false(hasProblem([aFile('a.csv', ['2018-01'])]));
  t.true(hasProblem([aFile('a.csv', ['2018-01', '2018-02'], ['2018-02'])]));
  t.true(hasProblem([aFile('a.csv', ['2018-01']), { name: 'b.csv', failure: 'no' }]));
});

test('the undo commands name the replaced months, one command per tree, if former versions are stored', (t) => {
  const replacing = (name: string, months: string[], form: string) => {
    const { report } = aFile(name, months);
    const extent = { ...EXTENT, form };
    const replaced = { before: extent, after: extent };
    const source = { ...report.source, form };
    return {
      name,
      report: { ...report, source, months: report.months.map((month) => ({ ...month, replaced })) },
    };
  };
  const files = [
    replacing('a.csv', ['2018-12', '2019-01', '2019-03'], 'fake'),
    replacing('table.csv', ['2018-01', '2018-02'], 'delay_causes'),
  ];
  t.true(
    ingestSummary(files).endsWith(
      'To undo: make restore MONTH=2018-12..2019-01,2019-03\n' +
        'To undo: make restore MONTH=2018-01..2018-02 LEVELS=1\n' +
        'Next: make features publish\n',
    ),
  );
  t.notRegex(ingestSummary(files, { keepVersions: 0 }), /To undo/);
  t.deepEqual(parseMonthList('2018-12..2019-01,2019-03'), ['2018-12', '2019-01', '2019-03']);
  // a.csv and b.csv both replace 2018-12. Its former version is from a.csv, so a restore would not undo the command.
  const allFiles = [...files, replacing('b.csv', ['2018-12', '2019-02'], 'fake')];
  t.regex(ingestSummary(allFiles), /\nTo undo: make restore MONTH=2019-01\.\.2019-03\n/);
  const reversed = '2025-06..2025-03,2025-09';
  for (const text of ['', '2018', '2018-02..', '2018-03..2018-02', '2018-01,,2018-02', reversed]) {
    t.throws(() => parseMonthList(text), { message: /is neither a month/ }, text);
  }
});

test('a file that is already in the lake may still need a publish', (t) => {
  const { name, report } = aFile('a.csv', ['2018-01']);
  const months = report.months.map((month) => ({ ...month, outcome: 'unchanged' as const }));
  const results = [{ name, report: { ...report, months } }];
  const unchanged = '\nThese months were already in the lake.\n';
  t.true(ingestSummary(results).endsWith(`${unchanged}Next: make features publish\n`));
  t.true(ingestSummary(results, { publish: true }).endsWith(unchanged));
});

test('the first unknown values of a reason are named, with the place where codes are added', (t) => {
  const file = aFile('vra.csv', ['2021-03']);
  const unknownValues = [
    {
      reason: 'unknown_airline',
      values: 1_203,
      first: [
        { value: 'BOV', rows: 1_050 },
        { value: '', rows: 1 },
      ],
    },
    { reason: 'unknown_airport', values: 1, first: [{ value: 'SNTI', rows: 16 }] },
  ];
  const summary = ingestSummary([{ ...file, report: { ...file.report, unknownValues } }]);
  t.true(
    summary.includes(
      `vra.csv: unknown_airline has 1,203 values: BOV (1,050 rows), (empty) (1 row) and 1,201 more
vra.csv: unknown_airport has 1 value: SNTI (16 rows)
To load the rows of an unknown airline or airport, add its code or name: docs/providers.md, "Reasons of rejected rows"
`,
    ),
    summary,
  );
  t.false(ingestSummary([file]).includes('unknown'));
});

test('a file of more than a year has one line for its rejected rows', (t) => {
  const months = Array.from({ length: 13 }, (_, at) => `2020-${String(at + 1).padStart(2, '0')}`);
  const series = aFile('series.csv', months);
  for (const month of series.report.months) month.rejects = { total: 100 };
  series.report.months[1]!.rejects = { total: 50, unknown_airline: 2 };
  t.true(
    ingestSummary([series]).includes(
      'series.csv, 13 months from 2020-01 to 2020-13: rejected 1,250 × total, 2 × unknown_airline\n',
    ),
  );
  series.report.months.pop();
  t.true(ingestSummary([series]).includes('series.csv, 2020-02: rejected 50 × total'));
});
