import test from 'ava';
import { tellBuild } from '../../../../jobs/cli/commands/features.ts';
import type { CheckResult } from '../../../../warehouse/build/reports.ts';

function told(checks: CheckResult[]) {
  const [out, err] = [[] as string[], [] as string[]];
  const stream = (lines: string[]) => ({ write: (text: string) => void lines.push(text) });
  const context = { out: stream(out), err: stream(err) } as never;
  const exitCode = tellBuild(context, { rows: { months: 1_200 }, checks });
  return { exitCode, out: out.join(''), err: err.join('') };
}

test('a build whose checks find nothing, or only warn, can be published', (t) => {
  const { exitCode, out, err } = told([
    { check: 'history_present', severity: 'error', failures: 0 },
    { check: 'month_volume', severity: 'warn', failures: 2 },
  ]);

  t.is(exitCode, 0);
  t.is(err, '');
  t.regex(out, /│ months │ 1,200 │/);
  t.regex(out, /│ history_present │ passed +│ +0 │/);
  t.regex(out, /│ month_volume +│ warning │ +2 │/);
  t.regex(out, /Next: make publish\n$/);
});

test('a check that failed ends with an error, and with the command that shows what it found', (t) => {
  const { exitCode, out, err } = told([
    { check: 'history_present', severity: 'error', failures: 1 },
    { check: 'month_volume', severity: 'warn', failures: 2 },
  ]);

  t.is(exitCode, 1);
  t.notRegex(out, /Next/);
  t.is(
    err,
    'Nothing is published until these checks pass. The rows they find:\n' +
      '  make check-data SELECT=history_present\n',
  );
});
