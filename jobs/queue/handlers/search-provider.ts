import type { ProviderSearch } from '../../../pipelines/providers/search-releases.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { requestFile, type RequestQueues } from '../requests.ts';
import { runStep, type HandlerJob } from './run-step.ts';

/** Searches for new figures of a provider and requests their files. The next nightly run builds and publishes. */
export async function searchProvider(
  job: HandlerJob<unknown>,
  provider: string,
  { steps, queues }: { steps: Pick<PipelineSteps, 'searchProvider'>; queues: RequestQueues },
): Promise<ProviderSearch> {
  const found = await runStep(job, (progress) => steps.searchProvider(provider, progress));
  for (const { path, sha256 } of found.files) {
    await requestFile(queues, { path, sha256, keepDropped: true });
  }
  return found;
}
