import type { Job } from 'bullmq';
import { actionText } from '../../../api/schemas/operations.ts';
import { recordRun, type Ledger } from '../../../pipelines/ledger.ts';
import type { RunFacts } from '../../../warehouse/lake/ledger.ts';
import type { JobRef } from '../queues.ts';
import type { OperatorRequest } from '../requests.ts';

/** Executes an operator's request and returns the requested jobs. */
export type ExecuteOperatorRequest = (request: OperatorRequest) => Promise<JobRef[]>;

export type OperatorRequestReport = { jobs: string[] };

/** Executes an operator's request and records it in the ledger with the operator's name. */
export async function handleOperatorRequest(
  job: Pick<Job<OperatorRequest>, 'data'>,
  executeOperatorRequest: ExecuteOperatorRequest,
  ledger: Ledger | undefined,
): Promise<OperatorRequestReport> {
  const { data } = job;
  const work = async () => ({ jobs: (await executeOperatorRequest(data)).map(({ id }) => id) });
  if (!ledger) return work();
  return recordRun('request', ledger, work, (report) => operatorRun(data, report));
}

/** Returns the entry of the ledger for an operator's request. */
export function operatorRun(
  request: OperatorRequest,
  report: OperatorRequestReport | undefined,
): RunFacts {
  return {
    inputs: [{ name: `${actionText(request)}, requested by ${request.by}` }],
    detail: { request, ...report },
  };
}
