import { RuntimeFailedError, type Runtime } from '../../models/runtime/runtime.ts';

/** State of an imported model in this process. An imported model was trained elsewhere and may fail. */
export type ImportedState = {
  version: string;
  /** `fallback`: the imported model failed. Our own model answers until a test of the imported model succeeds. */
  state: 'serving' | 'fallback';
  /** Reason of the last failure; null without a failure. */
  reason: string | null;
  /** Time (ISO) of the last change of `state`. */
  since: string;
  /** Number of failed calls of the model since the process started. */
  failures: number;
  /** Number of answers that our own model computed instead, since the process started. */
  fallbackAnswers: number;
};

export type ModelService = {
  state: ImportedState;
  /** Predicts rows within the deadline. */
  run: (rows: Float32Array) => Promise<Float32Array>;
  /**
   * Loads the model and tests it with made-up rows. Sets the state to `serving` if the test succeeds, otherwise to
   * `fallback`.
   */
  probe: () => Promise<void>;
  close: () => Promise<void>;
};

export type ModelServiceOptions = {
  version: string;
  start: () => Runtime;
  /** Made-up rows for tests of the model. */
  probeRows: Float32Array;
  deadlineMs: number;
  onChange: (state: ImportedState) => void;
  now: () => Date;
};

/** After this many failures in a row, our own model answers. A single failure may come from a busy machine. */
const MAX_FAILURES = 3;

/**
 * Time from a failure to the first test of the failed model. The time doubles after each failed test, up to the
 * maximum.
 */
const FIRST_TRIAL_MS = 30_000;
const MAX_TRIAL_MS = 10 * 60_000;

/** Loading a model takes much longer than a prediction, so loading has its own deadline. */
const LOAD_DEADLINE_MS = 10_000;

/**
 * Runs an imported model. The service restarts the model's thread after a crash. After repeated failures, it stops
 * using the model until a test succeeds.
 */
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
    // Until the model is loaded again, its calls fail, and our own model answers.
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

/** Schedules tests of a failed model. Only one test is pending at a time, and the waits grow. */
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
