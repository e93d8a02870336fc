import type { Job } from 'bullmq';
import { actionText } from '../../../api/schemas/operations.ts';
import { recorded, type Ledger } from '../../../pipelines/ledger.ts';
import type { JobRef } from '../queues.ts';
import type { AskedData } from '../requests.ts';

/** Asks for what an operator asked for; a worker has it. */
export type Act = (asked: AskedData) => Promise<JobRef[]>;

export type AskedReport = { jobs: string[] };

/** Does as an operator asked, in the ledger with what was asked and by whom. */
export async function handleAsked(
  job: Pick<Job<AskedData>, 'data'>,
  act: Act,
  ledger: Ledger | undefined,
): Promise<AskedReport> {
  const { data } = job;
  const work = async () => ({ jobs: (await act(data)).map(({ id }) => id) });
  if (!ledger) return work();
  const inputs = [{ name: `${actionText(data)}, asked for by ${data.by}` }];
  return recorded('asked', ledger, work, (report) => ({
    inputs,
    detail: { asked: data, ...report },
  }));
}
