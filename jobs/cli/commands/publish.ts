import type { PublishReport } from '../../../pipelines/types.ts';
import type { CommandContext } from '../context.ts';
import { requestStep } from '../../queue/requests.ts';
import { type JobSession, withJobs } from '../session.ts';
import { size, span } from '../tables.ts';
import { failingChecks } from '../../../pipelines/features/build.ts';
import { buildFeatures, printFailing } from './features.ts';

/** Requests a publish of a score store and waits for its report. */
export async function publishStore(session: Pick<JobSession, 'queues' | 'follow'>) {
  const job = await requestStep(session.queues, 'publish');
  return session.follow<PublishReport>(job, 'publish');
}

/** Publishes a score store and prints its content. */
export async function publish(context: CommandContext): Promise<number> {
  const report = await withJobs(context, 'publish', publishStore);
  printPublished(context, report);
  return 0;
}

/** Prints a published score store. */
export function printPublished(
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
  { version, months, bytes, model, modelRefused, providers = [], providersLeftOut }: PublishReport,
): void {
  out.write(`Published ${version}: ${span(months)}, ${size(bytes)}\n`);
  out.write(`Model     ${model ?? 'none; scores come from statistics only'}\n`);
  if (providers.length > 0) out.write(`Others    ${providers.join(', ')}\n`);
  if (providersLeftOut !== undefined) {
    err.write(
      `Left out  ${providersLeftOut.join(', ')}: not built, or the build failed; run make features\n`,
    );
  }
  if (modelRefused !== undefined) err.write(`Refused   ${modelRefused}\n`);
}

/** Builds the features and publishes them. Returns 1 if a check stops the publish. */
export async function publishNow(
  context: Pick<CommandContext, 'out' | 'err'>,
  session: JobSession,
): Promise<number> {
  const { checks } = await buildFeatures(session);
  const failing = failingChecks(checks);
  if (failing.length > 0) {
    printFailing(context, failing);
    return 1;
  }
  printPublished(context, await publishStore(session));
  return 0;
}
