import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

/** The outcome of a call, with its start and end in ms; `status` is 0 if there was no answer. */
export type ScoreAnswer = { at: number; endedAt: number; status: number; isWrong: boolean };

export type ScoreCallers = {
  answers: readonly ScoreAnswer[];
  stop: () => Promise<readonly ScoreAnswer[]>;
};

const FLIGHTS = [
  'JFK LAX DL',
  'ORD LGA AA',
  'ATL MCO DL',
  'SEA PDX AS',
  'DFW IAH AA',
  'DEN SFO UA',
];
const HOURS = ['', '07:30', '18:15'];
const CALLERS = 3;
const PAUSE_MS = 40;
const DAYS_AHEAD = 20;
const DAY_MS = 86_400_000;
const READY_WITHIN_MS = 60_000;
const DEADLINE_MS = 10_000;

/** Requests the same scores repeatedly. An answer is wrong if it differs from the first answer for the same flight. */
export async function callScores(address: string, apiKey: string): Promise<ScoreCallers> {
  const date = new Date(Date.now() + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10);
  const queries = FLIGHTS.flatMap((flight) => {
    const [origin = '', dest = '', airline = ''] = flight.split(' ');
    const query = { origin, dest, airline, date, api_key: apiKey };
    return HOURS.map((hour) => (hour === '' ? query : { ...query, dep_time: hour }));
  });
  const expected: unknown[] = [];
  for (const query of queries) expected.push(await firstAnswer(address, query));
  const answers: ScoreAnswer[] = [];
  const stopping = new AbortController();
  const callLoops = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let at = caller; !stopping.signal.aborted; at += 1) {
      const queryIndex = at % queries.length;
      const askedAt = Date.now();
      const { status, body } = await callScore(address, queries[queryIndex] ?? {});
      const isWrong = status === 200 && !isDeepStrictEqual(body, expected[queryIndex]);
      answers.push({ at: askedAt, endedAt: Date.now(), status, isWrong });
      await sleep(PAUSE_MS);
    }
  });
  return {
    answers,
    stop: async () => {
      stopping.abort();
      await Promise.all(callLoops);
      return answers;
    },
  };
}

async function firstAnswer(address: string, query: Record<string, string>): Promise<unknown> {
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const { status, body } = await callScore(address, query);
    if (status === 200) return body;
    if (Date.now() > until) throw new Error(`got no score: ${status} ${JSON.stringify(body)}`);
    await sleep(500);
  }
}

/**
 * Returns status and body of a call. Returns only the status if the proxy itself answered, and status 0 if there was no
 * answer.
 */
async function callScore(
  address: string,
  query: Record<string, string>,
): Promise<{ status: number; body?: unknown }> {
  try {
    const answer = await fetch(`http://${address}/api/score?${new URLSearchParams(query)}`, {
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await answer.text();
    const isOurs = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, ...(isOurs && { body: JSON.parse(text) as unknown }) };
  } catch {
    return { status: 0 };
  }
}
