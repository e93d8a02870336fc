import { failingChecks } from '../../../pipelines/features/build.ts';
import type { BuildReport, CheckResult } from '../../../warehouse/build/reports.ts';
import type { CommandContext } from '../context.ts';
import { requestStep } from '../../queue/requests.ts';
import type { JobSession } from '../session.ts';
import { withJobs } from '../session.ts';
import { count, table } from '../tables.ts';

/** Asks for the features to be built and follows the job to its report. */
export async function buildFeatures(session: JobSession): Promise<BuildReport> {
  const job = await requestStep(session.queues, 'build-features');
  return session.follow<BuildReport>(job, 'features');
}

/** Builds the features and prints rows and checks; 1 when a check would stop the publish. */
export async function features(context: CommandContext): Promise<number> {
  const report = await withJobs(context, 'features', buildFeatures);
  return tellBuild(context, report);
}

/** Prints the rows and checks of a build; 1 when a check would stop the publish. */
export function tellBuild({ out, err }: Pick<CommandContext, 'out' | 'err'>, report: BuildReport) {
  out.write(`${marts(report)}\n${checks(report)}\n`);
  const failing = failingChecks(report.checks);
  if (failing.length > 0) {
    tellFailing({ err }, failing);
    return 1;
  }
  out.write('Next: make publish\n');
  return 0;
}

/** Says what must pass before anything is published, and how to see the rows found. */
export function tellFailing({ err }: Pick<CommandContext, 'err'>, failing: CheckResult[]): void {
  err.write('Nothing is published until these checks pass. The rows they find:\n');
  for (const { check } of failing) err.write(`  ${findRows(check)}\n`);
}

/** The command that shows the rows a check finds. */
function findRows(check: string): string {
  return `make check-data SELECT=${check}`;
}

function marts({ rows }: BuildReport): string {
  return table(
    ['mart', 'rows'],
    Object.entries(rows).map(([mart, number]) => [mart, count(number)]),
  );
}

function checks(report: BuildReport): string {
  return table(
    ['check', 'result', 'rows found'],
    report.checks.map((check) => [check.check, result(check), count(check.failures)]),
  );
}

function result({ severity, failures }: CheckResult): 'passed' | 'warning' | 'failed' {
  if (failures === 0) return 'passed';
  return severity === 'error' ? 'failed' : 'warning';
}
