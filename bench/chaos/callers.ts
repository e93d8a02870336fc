import { setTimeout as sleep } from 'node:timers/promises';

/** What a call got: `status` 0 is no answer. */
export type Answer = { at: number; status: number; target: number };

export type Callers = {
  answers: readonly Answer[];
  /** Waits until no target has failed for so long, at most `patienceMs`; says whether it came to that. */
  untilGood: (forMs: number, patienceMs: number) => Promise<boolean>;
  stop: () => Promise<readonly Answer[]>;
};

/** Some hundred calls a second, so that the machine has time for what is done to it. */
const PAUSE_MS = 5;
const PER_TARGET = 2;
const DEADLINE_MS = 10_000;

/** Calls each of the addresses (`host:port`) over and over until stopped. */
export function startCallers(
  addresses: readonly string[],
  apiKey: string,
  pauseMs = PAUSE_MS,
): Callers {
  const answers: Answer[] = [];
  const stopping = new AbortController();
  const calling = addresses.flatMap((address, target) =>
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
    untilGood: async (forMs, patienceMs) => {
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
      await Promise.all(calling);
      return answers;
    },
  };
}

/** The status of a call; 0 where there was no answer. */
export async function call(
  address: string,
  path: string,
  query: Record<string, string>,
): Promise<number> {
  return (await ask(address, path, query)).status;
}

/** Status and body of a call; status 0 and no body where there was no answer. */
export async function ask(
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

/** The longest time in ms between two good answers of one target. */
export function longestGapMs(answers: readonly Answer[]): number {
  const gaps = [...new Set(answers.map(({ target }) => target))].flatMap((of) => {
    const good = answers.filter((one) => one.target === of && one.status === 200);
    return good.map(({ at }, index) => at - (good[index - 1]?.at ?? at));
  });
  return Math.max(0, ...gaps);
}

/** How many answers were neither good nor a 503, which says that Redis is away. */
export function oddCount(answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status !== 200 && status !== 503).length;
}

export function goodCount(answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status === 200).length;
}

/** In seconds with one decimal, for people. */
export function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
