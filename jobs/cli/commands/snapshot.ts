import type { MaintenanceReport } from '../../queue/handlers.ts';
import { requestStep } from '../../queue/requests.ts';
import type { CommandContext } from '../context.ts';
import { withJobs } from '../session.ts';

/** Requests the job that writes the forecasts of the next month as files. The scheduled job is the same. */
export async function snapshot(context: CommandContext): Promise<number> {
  const { summary } = await withJobs(context, 'snapshot', async ({ queues, follow }) =>
    follow<MaintenanceReport>(await requestStep(queues, 'snapshot'), 'snapshot'),
  );
  context.out.write(`Snapshot  ${summary}\n`);
  return 0;
}
