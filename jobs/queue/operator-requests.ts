import { UnrecoverableError } from 'bullmq';
import { isMonth, monthsBetween } from '../../pipelines/flights/months.ts';
import { retryJob } from './retry-job.ts';
import type { RequestMonths } from './handlers/search-months.ts';
import type { ScheduleChange } from '../../api/schemas/operations.ts';
import type { JobRef, Queues } from './queues.ts';
import { requestMonthSearch, requestStep, type OperatorRequest } from './requests.ts';
import type { MonthSource } from '../../pipelines/flights/month-source.ts';

export type OperatorDeps = {
  queues: Queues;
  requestMonths: RequestMonths;
  flights: MonthSource;
  /** Acknowledges the failed jobs and refused months that were open at this time (ISO). */
  acknowledge: (openAt: string) => Promise<unknown>;
  changeSchedule: (change: ScheduleChange, by: string) => Promise<unknown>;
};

/** Executes an operator's request like the command of the same name, and returns the jobs it requested. */
export async function executeOperatorRequest(
  request: OperatorRequest,
  { queues, requestMonths, flights, acknowledge, changeSchedule }: OperatorDeps,
): Promise<JobRef[]> {
  if (request.kind === 'acknowledge') {
    await acknowledge(request.at);
    return [];
  }
  if (request.kind === 'schedule') {
    const { kind: _, by, ...change } = request;
    await changeSchedule(change, by);
    return [];
  }
  if (request.kind === 'retry') return retryJob(queues, request, requestMonths);
  if (request.kind === 'nightly') {
    // Builds the months that are loaded now. If the search finds new months, another nightly run starts when they are
    // loaded.
    return [await requestMonthSearch(queues), await requestStep(queues, 'nightly')];
  }
  const { from, to, force, publish } = request;
  if (!isMonth(from) || !isMonth(to)) {
    throw new UnrecoverableError(
      `${from} to ${to} cannot be loaded: both must be months from 1987-10 to 2100-12`,
    );
  }
  const { parent } = await requestMonths({
    months: monthsBetween(from, to),
    source: flights,
    force,
    ...(publish && { andThen: 'nightly' as const }),
  });
  return [parent];
}
