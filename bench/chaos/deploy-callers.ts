import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a call got, when it was asked and when that was over: `status` 0 is no answer. */
export type Scored = { at: number; ended: number; status: number; isWrong: boolean };

export type ScoreCallers = {
  answers: readonly Scored[];
  stop: () => Promise<readonly Scored[]>;
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

/** Asks for the same scores over and over; an answer that is not what it was at first is wrong. */
export async function callScores(address: string, apiKey: string): Promise<ScoreCallers> {
  const date = new Date(Date.now() + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10);
  const queries = FLIGHTS.flatMap((flight) => {
    const [origin = '', dest = '', airline = ''] = flight.split(' ');
    const of = { origin, dest, airline, date, api_key: apiKey };
    return HOURS.map((hour) => (hour === '' ? of : { ...of, dep_time: hour }));
  });
  const expected: unknown[] = [];
  for (const query of queries) expected.push(await firstAnswer(address, query));
  const answers: Scored[] = [];
  const stopping = new AbortController();
  const calling = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let at = caller; !stopping.signal.aborted; at += 1) {
      const which = at % queries.length;
      const asked = Date.now();
      const { status, body } = await ask(address, queries[which] ?? {});
      const isWrong = status === 200 && !isDeepStrictEqual(body, expected[which]);
      answers.push({ at: asked, ended: Date.now(), status, isWrong });
      await sleep(PAUSE_MS);
    }
  });
  return {
    answers,
    stop: async () => {
      stopping.abort();
      await Promise.all(calling);
      return answers;
    },
  };
}

async function firstAnswer(address: string, query: Record<string, string>): Promise<unknown> {
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const { status, body } = await ask(address, query);
    if (status === 200) return body;
    if (Date.now() > until) throw new Error(`no score: ${status} ${JSON.stringify(body)}`);
    await sleep(500);
  }
}

/** Status and body of a call; of a proxy that answers itself the status alone, and 0 where nobody answered. */
async function ask(
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
