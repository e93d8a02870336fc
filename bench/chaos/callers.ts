import { setTimeout as sleep } from 'node:timers/promises';

/** The outcome of a call; `status` is 0 if there was no answer. */
export type Answer = { at: number; status: number; target: number };

export type Callers = {
  answers: readonly Answer[];
  /**
   * Waits until no call has failed for `forMs`. Gives up after `patienceMs`. Returns whether the calls have succeeded
   * for that long.
   */
  untilSuccessful: (forMs: number, patienceMs: number) => Promise<boolean>;
  stop: () => Promise<readonly Answer[]>;
};

/**
 * Pause between two calls. It limits the callers to a few hundred calls a second, so that the machine has time for the
 * other processes.
 */
const PAUSE_MS = 5;
const PER_TARGET = 2;
const DEADLINE_MS = 10_000;

/** Calls each of the addresses (`host:port`) repeatedly until stopped. */
export function startCallers(
  addresses: readonly string[],
  apiKey: string,
  pauseMs = PAUSE_MS,
): Callers {
  const answers: Answer[] = [];
  const stopping = new AbortController();
  const callLoops = addresses.flatMap((address, target) =>
    Array.from({ length: PER_TARGET }, async () => {
      while (!stopping.signal.aborted) {
        const status = await call(address, '/api/score', scoreQuery(apiKey));
        answers.push({ at: performance.now(), status, target });
        await sleep(pauseMs);
      }
    }),
  );
  return {
    answers,
    untilSuccessful: async (forMs, patienceMs) => {
      const from = performance.now();
      const failedAt = () => answers.findLast(({ status }) => status !== 200)?.at ?? from;
      while (performance.now() - from < patienceMs) {
        if (performance.now() - Math.max(from, failedAt()) > forMs) return true;
        await sleep(50);
      }
      return false;
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(callLoops);
      return answers;
    },
  };
}

/** Returns the status of a call; 0 if there was no answer. */
export async function call(
  address: string,
  path: string,
  query: Record<string, string>,
): Promise<number> {
  return (await callJson(address, path, query)).status;
}

/** Returns status and body of a call; status 0 and no body if there was no answer. */
export async function callJson(
  address: string,
  path: string,
  query: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const answer = await fetch(`http://${address}${path}?${new URLSearchParams(query)}`, {
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  } catch {
    return { status: 0, body: {} };
  }
}

function scoreQuery(apiKey: string): Record<string, string> {
  const date = new Date().toISOString().slice(0, 10);
  return { origin: 'JFK', dest: 'LAX', airline: 'DL', date, api_key: apiKey };
}

/** Returns the longest time, in ms, between two good answers of one target. */
export function longestGapMs(answers: readonly Answer[]): number {
  const gaps = [...new Set(answers.map(({ target }) => target))].flatMap((address) => {
    const good = answers.filter(({ target, status }) => target === address && status === 200);
    return good.map(({ at }, index) => at - (good[index - 1]?.at ?? at));
  });
  return Math.max(0, ...gaps);
}

/** Counts the answers with a status other than 200 and 503. While Redis is unavailable, the API answers 503. */
export function unexpectedCount(answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status !== 200 && status !== 503).length;
}

export function goodCount(answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status === 200).length;
}

/** Formats a duration in seconds with one decimal. */
export function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
