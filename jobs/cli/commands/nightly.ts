import type { NightlyReport } from '../../queue/handlers/nightly.ts';
import type { LookReport } from '../../queue/handlers/look-for-months.ts';
import { requestLook, requestStep } from '../../queue/requests.ts';
import { followMonths } from '../follow-months.ts';
import { JobFailedError } from '../../errors.ts';
import { monthsLine } from '../months-line.ts';
import { withJobs, type JobSession } from '../session.ts';
import type { CommandContext } from '../context.ts';
import { backfillSummary } from './backfill-summary.ts';
import { tellPublished } from './publish.ts';

/** Does now what the night does: fetches the months that came out, builds, checks, trains and publishes; 1 when a month failed. */
export async function nightly(context: CommandContext): Promise<number> {
  return withJobs(context, 'nightly', (session) => followNight(context, session));
}

/** Asks for the parts of a night one after the other and tells what came of each; 1 when a month, or the look for one, failed. */
export async function followNight(context: CommandContext, session: JobSession): Promise<number> {
  const code = await fetchMonths(context, session);
  const night = await requestStep(session.queues, 'nightly');
  const { publish, training } = await session.follow<NightlyReport>(night, 'night');
  if (training) {
    context.out.write(`Training  ${'problem' in training ? training.problem : training.why}\n`);
  }
  tellPublished(context, publish);
  return code;
}

/** A server that is away is no reason not to build what is there: the scheduled night does not wait for it either. */
async function fetchMonths(context: CommandContext, session: JobSession): Promise<number> {
  try {
    const look = await session.follow<LookReport>(await requestLook(session.queues), 'months');
    return await followNew(context, session, look);
  } catch (error) {
    if (!(error instanceof JobFailedError)) throw error;
    context.err.write(
      `Months    not looked for: ${error.message}; going on with those there are\n`,
    );
    return 1;
  }
}

async function followNew(
  { out, err }: CommandContext,
  { queues, signal }: JobSession,
  { base, asked, jobs }: LookReport,
): Promise<number> {
  if (base === undefined) out.write('Months    none looked for: OFFLINE=1\n');
  else if (jobs.length === 0) {
    out.write(`Months    none of ${asked.join(', ') || 'those wanted'} is out at ${base}\n`);
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
