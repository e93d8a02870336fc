import { expressions } from '../alerts/expressions.ts';
import { inSeconds } from './callers.ts';
import type { Scored } from './deploy-callers.ts';

export type HarmDone = { at: number; name: string };

/** A kill and when the last call that failed of it had ended; nothing failed when that is its beginning. */
type Felt = HarmDone & { until: number };

/** Of a series of Prometheus: its labels, and values by second. */
type Series = { metric: Record<string, string>; values: [number, string][] };

/** Calls may fail so long after a kill. */
export const WITHIN_MS = 5_000;
/** Of Prometheus: between two looks, and what a panel takes a rate over. */
const [LOOK_S, RATE_S] = [15, 60];
const RATE_MS = RATE_S * 1_000;
const ERRORS = `sum by (instance, endpoint, status) (increase(headwind_http_request_duration_seconds_count{status=~"5.."}[${RATE_S}s])) > 0`;

/** What callers got after each kill. */
export function tellCalls(
  answers: readonly Scored[],
  done: readonly HarmDone[],
  counted: number,
): boolean {
  let isHeld = true;
  for (const [index, { at, name }] of done.entries()) {
    const failed = failedAfter(answers, done, index);
    const last = Math.max(0, ...failed.map((one) => one.at - at));
    const statuses = Object.entries(Object.groupBy(failed, ({ status }) => String(status)));
    const told = statuses.map(([status, of]) => `${of?.length} ${status}`).join(', ');
    if (last > WITHIN_MS) isHeld = false;
    console.log(
      `${name}: ${failed.length === 0 ? 'no call failed' : `${told}, the last after ${inSeconds(last)} s`}`,
    );
  }
  const before = answers.filter((one) => one.status !== 200 && one.at < (done[0]?.at ?? 0)).length;
  const wrong = answers.filter((one) => one.isWrong).length;
  const good = answers.filter((one) => one.status === 200).length;
  console.log(
    `${good} of ${answers.length} calls answered, ${wrong} of them wrong, ${before} failed before the first kill, ${counted} counted`,
  );
  return isHeld && wrong === 0 && before === 0;
}

/** What the dashboard shows of that time: each panel has something, and errors only where calls failed. */
export async function tellSeries(
  address: string,
  answers: readonly Scored[],
  done: readonly HarmDone[],
  { from, until }: { from: number; until: number },
): Promise<boolean> {
  const ask = async (panel: string, start = from) => {
    const query = panel.replaceAll('$__rate_interval', `${RATE_S}s`);
    const range = { start: String(start / 1_000), end: String(until / 1_000) };
    const words = new URLSearchParams({ query, ...range, step: String(LOOK_S) });
    const answer = await fetch(`http://${address}:9090/api/v1/query_range?${words}`);
    return ((await answer.json()) as { data: { result: Series[] } }).data.result;
  };
  const { panels } = await expressions();
  const empty: string[] = [];
  for (const panel of panels) if ((await ask(panel)).length === 0) empty.push(panel);
  console.log(`dashboard: ${panels.length - empty.length} of ${panels.length} panels' series`);
  for (const panel of empty) console.log(`  nothing for ${panel}`);
  const errors = panels.find((panel) => panel.includes('or vector(0)')) ?? '';
  // What a point shows is of the time the rate is taken over: the first are those that are wholly of ours.
  const [shown, seen] = [await ask(errors, from + RATE_MS), await ask(ERRORS, from + RATE_MS)];
  const points = shown
    .flatMap(({ values }) => values.filter(([, value]) => Number(value) > 0))
    .map(([second]) => second * 1_000);
  const isEach = tellPoints(points, feltOf(answers, done), { from, seen });
  const down = await ask('up == 0');
  for (const { metric, values } of down) {
    console.log(`  ${metric['instance']} was down for ${values.length * LOOK_S} s`);
  }
  return isEach && down.length > 0;
}

/** Says of each point that shows errors which kill it is of, and what Prometheus counted there; whether each is of one. */
function tellPoints(
  points: readonly number[],
  felt: readonly Felt[],
  { from, seen }: { from: number; seen: readonly Series[] },
): boolean {
  const owners = ownersOf(points, felt, RATE_MS);
  for (const [index, at] of points.entries()) {
    const counted = seen.flatMap(({ metric, values }) => {
      const value = values.find(([second]) => second * 1_000 === at)?.[1];
      const { instance, endpoint, status } = metric;
      return value === undefined ? [] : [`${endpoint} ${status} at ${instance}`];
    });
    const owner = owners[index] ?? 'NO KILL';
    console.log(`  errors shown at ${inSeconds(at - from)} s: of ${owner} (${counted.join(', ')})`);
  }
  const strays = owners.filter((owner) => owner === undefined).length;
  console.log(`  ${points.length} points show errors, ${strays} of them of no kill`);
  return strays === 0;
}

/**
 * By point of a rate over that long, the kill whose errors are in it: the last one of which calls failed in the time that the
 * rate is taken over. No name where none failed in that time.
 */
export function ownersOf(
  points: readonly number[],
  felt: readonly Felt[],
  rateMs: number,
): (string | undefined)[] {
  return points.map(
    (at) =>
      felt.findLast((one) => one.at <= at && one.until > at - rateMs && one.until > one.at)?.name,
  );
}

/** Until when each kill was felt by callers. */
export function feltOf(answers: readonly Scored[], done: readonly HarmDone[]): Felt[] {
  return done.map((harm, index) => {
    const failed = failedAfter(answers, done, index);
    return { ...harm, until: Math.max(harm.at, ...failed.map(({ ended }) => ended)) };
  });
}

function failedAfter(
  answers: readonly Scored[],
  done: readonly HarmDone[],
  index: number,
): Scored[] {
  const [from, until] = [done[index]?.at ?? 0, done[index + 1]?.at ?? Infinity];
  return answers.filter((one) => one.status !== 200 && one.at >= from && one.at < until);
}
