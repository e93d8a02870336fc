import { failingChecks } from '../../../pipelines/features/build.ts';
import type { CommandContext } from '../context.ts';
import type { JobSession } from '../session.ts';
import { buildFeatures, tellFailing } from './features.ts';
import { publishStore, tellPublished } from './publish.ts';

/** Builds the features and publishes them, through to the answers of the API; 1 when a check stops it. */
export async function publishNow(
  context: Pick<CommandContext, 'out' | 'err'>,
  session: JobSession,
): Promise<number> {
  const { checks } = await buildFeatures(session);
  const failing = failingChecks(checks);
  if (failing.length > 0) {
    tellFailing(context, failing);
    return 1;
  }
  tellPublished(context, await publishStore(session));
  return 0;
}
