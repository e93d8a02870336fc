import { failingChecks } from '../../../pipelines/features/build.ts';
import type { BuildReport, CheckResult, RebuildReport } from '../../../warehouse/build/reports.ts';
import type { CommandContext } from '../context.ts';
import { requestStep } from '../../queue/requests.ts';
import { type JobSession, withJobs } from '../session.ts';
import { count, countOf, table } from '../tables.ts';

/** Requests a build of the features and waits for its report. */
export async function buildFeatures(session: JobSession): Promise<BuildReport> {
  const job = await requestStep(session.queues, 'build-features');
  return session.follow<BuildReport>(job, 'features');
}

/** Builds the features and prints rows and checks. Returns 1 if a check would stop the publish. */
export async function features(context: CommandContext): Promise<number> {
  const report = await withJobs(context, 'features', buildFeatures);
  return printBuild(context, report);
}

/** Prints the rows and checks of a build. Returns 1 if a check would stop the publish. */
export function printBuild({ out, err }: Pick<CommandContext, 'out' | 'err'>, report: BuildReport) {
  out.write(`${formatMarts(report)}\n${formatChecks(report)}\n`);
  printProviders({ err }, report.providers ?? {});
  for (const { problem } of report.checks) if (problem !== undefined) err.write(`${problem}\n`);
  const failing = failingChecks(report.checks);
  if (failing.length > 0) {
    printFailing({ err }, failing);
    return 1;
  }
  out.write('Next: make publish\n');
  return 0;
}

/** Prints the checks that stop the publish, and the commands that show their rows. */
export function printFailing({ err }: Pick<CommandContext, 'err'>, failing: CheckResult[]): void {
  err.write('Nothing is published until these checks pass. To see the rows that fail:\n');
  for (const { check } of failing) err.write(`  make check-data SELECT=${check}\n`);
}

/** Prints the findings in the records of other providers. A finding stops only the publish of its provider. */
function printProviders(
  { err }: Pick<CommandContext, 'err'>,
  providers: NonNullable<BuildReport['providers']>,
): void {
  for (const [provider, findings] of Object.entries(providers)) {
    for (const finding of findings) {
      const found = finding.problem ?? `${count(finding.failures)} rows`;
      err.write(`${provider}: ${finding.check} ${verdictOf(finding)}: ${found}\n`);
    }
  }
}

function formatMarts({ rows }: BuildReport): string {
  return table(
    ['mart', 'rows'],
    Object.entries(rows).map(([mart, number]) => [mart, count(number)]),
  );
}

function formatChecks(report: BuildReport): string {
  return table(
    ['check', 'result', 'rows found'],
    report.checks.map((check) => [check.check, verdictOf(check), count(check.failures)]),
  );
}

function verdictOf({ severity, failures }: CheckResult): 'passed' | 'warning' | 'failed' {
  if (failures === 0) return 'passed';
  return severity === 'error' ? 'failed' : 'warning';
}

/** Rebuilds the warehouse from the lake and prints its content. Returns 1 if a check would stop the publish. */
export async function rebuild(context: CommandContext): Promise<number> {
  const report = await withJobs(context, 'rebuild', async ({ queues, follow }) =>
    follow<RebuildReport>(await requestStep(queues, 'rebuild'), 'rebuild'),
  );
  const { months, flights } = report;
  context.out.write(
    `Rebuilt from the lake: ${months.length} months, ${countOf(flights, 'flight')}\n`,
  );
  return printBuild(context, report);
}
