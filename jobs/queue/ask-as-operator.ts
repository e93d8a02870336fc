import { UnrecoverableError } from 'bullmq';
import { isMonth, monthsBetween } from '../../pipelines/flights/months.ts';
import { askAgain } from './ask-again.ts';
import type { AskForMonths } from './handlers/look-for-months.ts';
import type { JobRef, Queues } from './queues.ts';
import { requestLook, requestStep, type AskedData } from './requests.ts';
import type { MonthSource } from '../../pipelines/flights/month-source.ts';

export type ActDeps = {
  queues: Queues;
  ask: AskForMonths;
  flights: MonthSource;
  /** Takes off the failed jobs and refused months that were open then (ISO). */
  acknowledge: (knownAt: string) => Promise<unknown>;
};

/** Asks for what an operator asked for, as the command of the same name does. */
export async function act(
  asked: AskedData,
  { queues, ask, flights, acknowledge }: ActDeps,
): Promise<JobRef[]> {
  if (asked.kind === 'acknowledge') {
    await acknowledge(asked.at);
    return [];
  }
  if (asked.kind === 'retry') return askAgain(queues, asked, ask);
  if (asked.kind === 'nightly') {
    // What comes out is followed by a night of its own; this one builds what is there.
    return [await requestLook(queues), await requestStep(queues, 'nightly')];
  }
  const { from, to, force, publish } = asked;
  if (!isMonth(from) || !isMonth(to)) {
    throw new UnrecoverableError(`no month of flight records (1987-10 or later): ${from}, ${to}`);
  }
  const { parent } = await ask({
    months: monthsBetween(from, to),
    source: flights,
    force,
    ...(publish && { andThen: 'nightly' as const }),
  });
  return [parent];
}
