import type { PublishReport } from '../../../pipelines/types.ts';
import type { CommandContext } from '../context.ts';
import { requestStep } from '../../queue/requests.ts';
import type { JobSession } from '../session.ts';
import { withJobs } from '../session.ts';
import { size, span } from '../tables.ts';

/** Asks for a score store to be published and follows the job to its report. */
export async function publishStore(session: Pick<JobSession, 'queues' | 'follow'>) {
  const job = await requestStep(session.queues, 'publish');
  return session.follow<PublishReport>(job, 'publish');
}

/** Publishes a score store and prints what it holds. */
export async function publish(context: CommandContext): Promise<number> {
  const report = await withJobs(context, 'publish', publishStore);
  tellPublished(context, report);
  return 0;
}

/** Prints what was published. */
export function tellPublished(
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
  { version, months, bytes, model, modelRefused }: PublishReport,
): void {
  out.write(`Published ${version}: ${span(months)}, ${size(bytes)}\n`);
  out.write(`Model     ${model ?? 'none: scores rest on statistics alone'}\n`);
  if (modelRefused !== undefined) err.write(`Refused   ${modelRefused}\n`);
}
