/** The ledger of what the pipeline did: one entry per run, an attempt at one step. */
import type { Run, RunFacts, RunStep } from '../warehouse/lake/ledger.ts';

export type Ledger = {
  record: (run: Run) => Promise<void>;
  /** The code that runs. */
  codeVersion: string;
  now: () => Date;
  /** A few random letters. */
  randomLetters: () => string;
};

/**
 * Does the work and records it, done or failed; a failure is thrown on. `factsOf` is given what the work returned,
 * or nothing when it failed. A run that is killed leaves no entry: the queue runs its job again, and that one counts.
 */
export async function recorded<T>(
  step: RunStep,
  ledger: Ledger,
  work: () => Promise<T>,
  factsOf: (result: T | undefined) => RunFacts | Promise<RunFacts>,
): Promise<T> {
  const start = ledger.now();
  const entry = (outcome: Run['outcome'], facts: RunFacts): Run => ({
    id: `${stamp(start)}-${step}-${ledger.randomLetters()}`,
    step,
    outcome,
    startedAt: start.toISOString(),
    finishedAt: ledger.now().toISOString(),
    codeVersion: ledger.codeVersion,
    ...facts,
  });
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Error) TOLD.add(error);
    // Whatever stopped the work may stop its record too, a full disk for one: the first error is the one to tell.
    await Promise.resolve(factsOf(undefined))
      .catch(() => ({ inputs: [] }))
      .then((facts) => ledger.record({ ...entry('failed', facts), error: message }))
      .catch(() => undefined);
    throw error;
  }
  await ledger.record(entry('done', await factsOf(result)));
  return result;
}

/** Errors that are in the ledger, so that a job that fails by one is not there twice. */
const TOLD = new WeakSet<Error>();

/** Records that a job failed, unless the step it failed in is in the ledger by this very error. */
export async function recordFailure(
  ledger: Ledger,
  { name, title, startedAt }: { name: string; title: string; startedAt: Date },
  error: Error,
): Promise<void> {
  if (TOLD.has(error) || (error.cause instanceof Error && TOLD.has(error.cause))) return;
  await ledger.record({
    id: `${stamp(startedAt)}-job-${ledger.randomLetters()}`,
    step: 'job',
    outcome: 'failed',
    startedAt: startedAt.toISOString(),
    finishedAt: ledger.now().toISOString(),
    codeVersion: ledger.codeVersion,
    inputs: [{ name: title }],
    detail: { job: name },
    error: error.message,
  });
}

/** `20261101T023000123Z`: sorts by time and is a file name everywhere. */
function stamp(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
