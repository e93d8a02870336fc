import type { MaintenanceReport } from '../../queue/handlers.ts';
import { requestStep } from '../../queue/requests.ts';
import type { CommandContext } from '../context.ts';
import { withJobs } from '../session.ts';

/** Requests a restore drill and prints its result. The scheduled drill is the same job. */
export async function restoreDrill(context: CommandContext): Promise<number> {
  const { summary } = await withJobs(context, 'restore-drill', async ({ queues, follow }) =>
    follow<MaintenanceReport>(await requestStep(queues, 'restore-drill'), 'restore drill'),
  );
  context.out.write(`Drill   ${summary}\n`);
  return 0;
}
