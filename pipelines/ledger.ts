/** The ledger: one entry per run, which is one attempt at one step of the pipeline. */
import type { Run, RunFacts, RunStep } from '../warehouse/lake/ledger.ts';

export type Ledger = {
  record: (run: Run) => Promise<void>;
  /** Version of the running code. */
  codeVersion: string;
  now: () => Date;
  /** Returns a few random letters, which make the id of a run unique. */
  randomLetters: () => string;
};

/**
 * Runs `work` and records the run as done or failed. Rethrows the error of a failed run. `factsOf` receives the result
 * of `work`, or undefined after a failure. A killed run has no entry, but the queue repeats the job, and the repeated
 * run is recorded.
 */
export async function recordRun<T>(
  step: RunStep,
  ledger: Ledger,
  work: () => Promise<T>,
  factsOf: (result: T | undefined) => RunFacts | Promise<RunFacts>,
): Promise<T> {
  const start = ledger.now();
  const buildRun = (outcome: Run['outcome'], facts: RunFacts): Run => ({
    id: `${formatStamp(start)}-${step}-${ledger.randomLetters()}`,
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
    if (error instanceof Error) RECORDED_ERRORS.add(error);
    // The same cause, for example a full disk, may also prevent the record. The caller still gets the error of the
    // work.
    await Promise.resolve(factsOf(undefined))
      .catch(() => ({ inputs: [] }))
      .then((facts) => ledger.record({ ...buildRun('failed', facts), error: message }))
      .catch(() => undefined);
    throw error;
  }
  await ledger.record(buildRun('done', await factsOf(result)));
  return result;
}

/** Errors that are in the ledger already. If a job fails with one of these errors, the job adds no second entry. */
const RECORDED_ERRORS = new WeakSet<Error>();

/** Records that a job failed, unless a step has recorded the same error. */
export async function recordFailure(
  ledger: Ledger,
  { name, title, startedAt }: { name: string; title: string; startedAt: Date },
  error: Error,
): Promise<void> {
  const { cause } = error;
  if (RECORDED_ERRORS.has(error) || (cause instanceof Error && RECORDED_ERRORS.has(cause))) return;
  await ledger.record({
    id: `${formatStamp(startedAt)}-job-${ledger.randomLetters()}`,
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

/** Formats a time as `20261101T023000123Z`, which sorts by time and is a valid file name on every system. */
function formatStamp(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
