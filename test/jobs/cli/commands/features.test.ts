import test from 'ava';
import { printBuild } from '../../../../jobs/cli/commands/features.ts';
import type { CheckResult } from '../../../../warehouse/build/reports.ts';

function printChecks(checks: CheckResult[]) {
  const [out, err] = [[] as string[], [] as string[]];
  const stream = (lines: string[]) => ({ write: (text: string) => void lines.push(text) });
  const context = { out: stream(out), err: stream(err) } as never;
  const exitCode = printBuild(context, { rows: { months: 1_200 }, checks });
  return { exitCode, out: out.join(''), err: err.join('') };
}

test('a build can be published if all checks pass or only give warnings', (t) => {
  const { exitCode, out, err } = printChecks([
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

test('a failed check is an error with the command that shows its rows', (t) => {
  const { exitCode, out, err } = printChecks([
    { check: 'history_present', severity: 'error', failures: 1 },
    { check: 'month_volume', severity: 'warn', failures: 2 },
  ]);

  t.is(exitCode, 1);
  t.notRegex(out, /Next/);
  t.is(
    err,
    'Nothing is published until these checks pass. To see the rows that fail:\n' +
      '  make check-data SELECT=history_present\n',
  );
});
