import type { AccuracyReport } from '../../../pipelines/types.ts';
import type { NightlyReport } from '../../queue/handlers/nightly.ts';
import type { MonthSearchReport } from '../../queue/handlers/search-months.ts';
import { requestMonthSearch, requestStep } from '../../queue/requests.ts';
import { followMonths } from '../follow-months.ts';
import { JobFailedError } from '../../errors.ts';
import { monthsLine } from '../months-line.ts';
import { withJobs, type JobSession } from '../session.ts';
import type { CommandContext } from '../context.ts';
import { backfillSummary } from './backfill-summary.ts';
import { printPublished } from './publish.ts';

const NOT_SEARCHED = 'Months    not searched, as OFFLINE=1 is set\n';

/**
 * Starts the nightly run now: fetches months, builds, checks, trains and publishes. Returns 1 if a month failed. With
 * OFFLINE=1 no months are requested, so that no worker downloads anything for this command.
 */
export async function nightly(context: CommandContext): Promise<number> {
  return withJobs(context, 'nightly', (session) => followNightlyRun(context, session));
}

/** Requests the parts of a nightly run one after another. Returns 1 if a month or the search for months failed. */
export async function followNightlyRun(
  context: CommandContext,
  session: JobSession,
): Promise<number> {
  const code = await fetchMonths(context, session);
  const job = await requestStep(session.queues, 'nightly');
  const {
    publish,
    training,
    accuracy = {},
  } = await session.follow<NightlyReport>(job, 'nightly run');
  if (training) {
    context.out.write(`Training  ${'problem' in training ? training.problem : training.why}\n`);
  }
  for (const line of accuracyLines(accuracy)) context.out.write(`Accuracy  ${line}\n`);
  printPublished(context, publish);
  return code;
}

/**
 * Returns a line for each provider's record: the result of the measurement, or why the record could not be measured.
 */
function accuracyLines({ measured = {}, problems = {} }: AccuracyReport): string[] {
  return [
    ...Object.entries(measured).map(([provider, { state, why }]) => `${provider} ${state}: ${why}`),
    ...Object.entries(problems).map(([provider, why]) => `${provider} not measured: ${why}`),
  ];
}

/**
 * Searches for new months and loads them. If the search fails, for example because BTS is unreachable, the run
 * continues with the loaded months, like the scheduled run.
 */
async function fetchMonths(context: CommandContext, session: JobSession): Promise<number> {
  if (context.config.offline) {
    context.out.write(NOT_SEARCHED);
    return 0;
  }
  try {
    const report = await session.follow<MonthSearchReport>(
      await requestMonthSearch(session.queues),
      'months',
    );
    return await followNewMonths(context, session, report);
  } catch (error) {
    if (!(error instanceof JobFailedError)) throw error;
    context.err.write(
      `Months    search failed: ${error.message}; continuing with the loaded months\n`,
    );
    return 1;
  }
}

async function followNewMonths(
  { out, err }: CommandContext,
  { queues, signal }: JobSession,
  { base, searched, jobs }: MonthSearchReport,
): Promise<number> {
  if (base === undefined) out.write(NOT_SEARCHED);
  else if (jobs.length === 0) {
    const months = searched.length === 0 ? '' : ` (searched for ${searched.join(', ')})`;
    out.write(`Months    no new months at ${base}${months}\n`);
  }
  if (jobs.length === 0) return 0;
  const line = monthsLine(jobs.length, err);
  try {
    const ends = await followMonths(jobs, line, { queues, signal });
    out.write(backfillSummary(ends, true));
    return ends.some(({ failure }) => failure !== undefined) ? 1 : 0;
  } finally {
    line.end();
  }
}
