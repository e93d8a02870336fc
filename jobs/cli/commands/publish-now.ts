import { failingChecks } from '../../../pipelines/features/build.ts';
import type { CommandContext } from '../context.ts';
import type { JobSession } from '../session.ts';
import { buildFeatures, printFailing } from './features.ts';
import { publishStore, printPublished } from './publish.ts';

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
