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
 * of `work`, or undefined after a failure. A killed run is not recorded; the queue repeats its job, and that run is
 * recorded.
 */
export async function recordRun<T>(
  step: RunStep,
  ledger: Ledger,
  work: () => Promise<T>,
  factsOf: (result: T | undefined) => RunFacts | Promise<RunFacts>,
): Promise<T> {
  const start = ledger.now();
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const failure =
      error instanceof Error
        ? { error: error.message, errorName: error.name }
        : { error: String(error) };
    if (error instanceof Error) RECORDED_ERRORS.add(error);
    // Ignore a failure to record the run. It may have the same cause as the first error, for example a full disk. The
    // caller still gets the error of `work`.
    await Promise.resolve(factsOf(undefined))
      .catch(() => ({ inputs: [] }))
      .then((facts) => recordEnd(step, ledger, start, { ...facts, ...failure }))
      .catch(() => undefined);
    throw error;
  }
  await recordEnd(step, ledger, start, await factsOf(result));
  return result;
}

/** Errors that are already in the ledger. If one of these errors makes a job fail, the job adds no second entry. */
const RECORDED_ERRORS = new WeakSet<Error>();

/** Records that a job failed, unless a step has recorded the same error. */
export async function recordFailure(
  ledger: Ledger,
  { name, title, startedAt }: { name: string; title: string; startedAt: Date },
  error: Error,
): Promise<void> {
  const { cause } = error;
  if (RECORDED_ERRORS.has(error) || (cause instanceof Error && RECORDED_ERRORS.has(cause))) return;
  const facts = { inputs: [{ name: title }], detail: { job: name }, error: error.message };
  await recordEnd('job', ledger, startedAt, facts);
}

/** Records a run that ends now; it failed if the facts have an error. */
export async function recordEnd(
  step: RunStep,
  ledger: Ledger,
  startedAt: Date,
  facts: RunFacts & Pick<Run, 'error' | 'errorName'>,
): Promise<void> {
  await ledger.record({
    id: `${formatStamp(startedAt)}-${step}-${ledger.randomLetters()}`,
    step,
    outcome: facts.error === undefined ? 'done' : 'failed',
    startedAt: startedAt.toISOString(),
    finishedAt: ledger.now().toISOString(),
    codeVersion: ledger.codeVersion,
    ...facts,
  });
}

/** Formats a time as `20261101T023000123Z`, which sorts by time and is a valid file name on every system. */
function formatStamp(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
