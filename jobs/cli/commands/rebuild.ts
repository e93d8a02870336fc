import type { RebuildReport } from '../../../warehouse/build/reports.ts';
import type { CommandContext } from '../context.ts';
import { requestStep } from '../../queue/requests.ts';
import { withJobs } from '../session.ts';
import { countOf } from '../tables.ts';
import { printBuild } from './features.ts';

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
