import { RuntimeFailedError, type Runtime } from '../../models/runtime/runtime.ts';

/** State of an imported model in this process. */
export type ImportedState = {
  version: string;
  /** `fallback`: the model failed, and our own model answers until a trial of the imported model succeeds. */
  state: 'serving' | 'fallback';
  /** Why the model failed last; null if it never failed. */
  reason: string | null;
  /** Since when the model is in this state (ISO). */
  since: string;
  /** Calls of the model that failed since the start of the process. */
  failures: number;
  /** Answers that our own model gave instead, since the start of the process. */
  fallbackAnswers: number;
};

export type ModelService = {
  state: ImportedState;
  /** Predicts rows within the deadline. */
  run: (rows: Float32Array) => Promise<Float32Array>;
  /** Loads the model and predicts made-up rows. Puts the model into service, or out of service if that fails. */
  probe: () => Promise<void>;
  close: () => Promise<void>;
};

export type ModelServiceOptions = {
  version: string;
  start: () => Runtime;
  /** Rows for trials of the model. */
  probeRows: Float32Array;
  deadlineMs: number;
  onChange: (state: ImportedState) => void;
  now: () => Date;
};

/** Failures in a row after which the model is out of service. A single failure may come from a busy machine. */
const MAX_FAILURES = 3;

/** Time until the first trial of a model that is out of service; doubled after each failed trial. */
const FIRST_TRIAL_MS = 30_000;
const MAX_TRIAL_MS = 10 * 60_000;

/** Loading a model takes much longer than a call. */
const LOAD_DEADLINE_MS = 10_000;

/** Keeps an imported model in service: replaces its thread after a crash, and takes a failing model out of service. */
export function createModelService(options: ModelServiceOptions): ModelService {
  const { version, start, probeRows, deadlineMs, onChange, now } = options;
  const state: ImportedState = {
    ...{ version, state: 'serving', reason: null, failures: 0, fallbackAnswers: 0 },
    since: now().toISOString(),
  };
  let runtime = start();
  let isLoaded = false;
  let failuresInARow = 0;
  let isClosed = false;
  const trials = createTrials(() => probe());

  const change = (next: ImportedState['state']) => {
    if (state.state === next) return;
    Object.assign(state, { state: next, since: now().toISOString() });
    onChange({ ...state });
  };
  const suspend = () => {
    change('fallback');
    if (!isClosed) trials.schedule();
  };
  const load = async () => {
    await runtime.predict(probeRows, LOAD_DEADLINE_MS);
    isLoaded = true;
  };
  const fail = (used: Runtime, error: unknown) => {
    if (isClosed) return;
    state.failures += 1;
    state.reason = error instanceof Error ? error.message : String(error);
    failuresInARow += 1;
    if (failuresInARow >= MAX_FAILURES) suspend();
    const isThreadUsable = error instanceof RuntimeFailedError && error.isThreadUsable;
    if (isThreadUsable || used !== runtime) return;
    void runtime.close();
    runtime = start();
    isLoaded = false;
    // Until the new thread has loaded the model, our own model answers.
    if (state.state === 'serving') load().catch(suspend);
  };
  const run = async (rows: Float32Array) => {
    const used = runtime;
    if (!isLoaded) throw new RuntimeFailedError('its thread is starting', true);
    try {
      const probabilities = await used.predict(rows, deadlineMs);
      failuresInARow = 0;
      return probabilities;
    } catch (error) {
      fail(used, error);
      throw error;
    }
  };
  const probe = async () => {
    const used = runtime;
    try {
      if (!isLoaded) await load();
    } catch (error) {
      fail(used, error);
      return suspend();
    }
    try {
      await run(probeRows);
      trials.reset();
      change('serving');
    } catch {
      suspend();
    }
  };
  return {
    state,
    run,
    probe,
    close: async () => {
      isClosed = true;
      trials.cancel();
      await runtime.close();
    },
  };
}

/** Schedules trials of a model that is out of service, one at a time, with growing waits. */
function createTrials(probe: () => Promise<void>) {
  let delayMs = FIRST_TRIAL_MS;
  let timer: NodeJS.Timeout | undefined;
  return {
    schedule: () => {
      if (timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        void probe();
      }, delayMs).unref();
      delayMs = Math.min(MAX_TRIAL_MS, 2 * delayMs);
    },
    reset: () => {
      delayMs = FIRST_TRIAL_MS;
    },
    cancel: () => clearTimeout(timer),
  };
}
