import { expressions } from '../alerts/expressions.ts';
import { inSeconds } from './callers.ts';
import type { ScoreAnswer } from './deploy-callers.ts';

export type Kill = { at: number; name: string };

/**
 * A kill of a part. Some calls may fail because of the kill; `until` is the time at which the last of these calls
 * ended. If no call failed, `until` equals `at`.
 */
type KillPeriod = Kill & { until: number };

/** A time series of Prometheus: its labels, and its values with their Unix times. */
type Series = { metric: Record<string, string>; values: [number, string][] };

/** Calls may fail for this long after a kill. */
export const FAILURES_END_MS = 5_000;
/**
 * Two durations in seconds. STEP_S is the time between two points of a series. RATE_S is the period before each point
 * from which the rate at the point is computed.
 */
const [STEP_S, RATE_S] = [15, 60];
const RATE_MS = RATE_S * 1_000;
const ERRORS = `sum by (instance, endpoint, status) (increase(headwind_http_request_duration_seconds_count{status=~"5.."}[${RATE_S}s])) > 0`;

/**
 * Prints the failed calls after each kill. Returns false if an answer was wrong, or if a call failed before the first
 * kill or later than `FAILURES_END_MS` after a kill.
 */
export function judgeCalls(
  answers: readonly ScoreAnswer[],
  done: readonly Kill[],
  counted: number,
): boolean {
  let isFulfilled = true;
  for (const [index, { at, name }] of done.entries()) {
    const failed = failedAfter(answers, done, index);
    const last = Math.max(0, ...failed.map((call) => call.at - at));
    const statuses = Object.entries(Object.groupBy(failed, ({ status }) => String(status)));
    const failures = statuses.map(([status, calls]) => `${calls?.length} ${status}`).join(', ');
    if (last > FAILURES_END_MS) isFulfilled = false;
    console.log(
      `${name}: ${failed.length === 0 ? 'no call failed' : `${failures}; last failure after ${inSeconds(last)} s`}`,
    );
  }
  const firstKillAt = done[0]?.at ?? 0;
  const before = answers.filter(({ status, at }) => status !== 200 && at < firstKillAt).length;
  const wrong = answers.filter(({ isWrong }) => isWrong).length;
  const good = answers.filter(({ status }) => status === 200).length;
  console.log(
    `${good} of ${answers.length} calls answered, ${wrong} of them wrong, ${before} failed before the first kill, ${counted} counted`,
  );
  return isFulfilled && wrong === 0 && before === 0;
}

/**
 * Checks the dashboard's series: every panel has a series, and the panel of errors shows only errors that a kill
 * caused.
 */
export async function judgeSeries(
  address: string,
  answers: readonly ScoreAnswer[],
  done: readonly Kill[],
  { from, until }: { from: number; until: number },
): Promise<boolean> {
  const queryRange = async (panel: string, start = from) => {
    const query = panel.replaceAll('$__rate_interval', `${RATE_S}s`);
    const range = { start: String(start / 1_000), end: String(until / 1_000) };
    const params = new URLSearchParams({ query, ...range, step: String(STEP_S) });
    const answer = await fetch(`http://${address}:9090/api/v1/query_range?${params}`);
    return ((await answer.json()) as { data: { result: Series[] } }).data.result;
  };
  const { panels } = await expressions();
  const empty: string[] = [];
  for (const panel of panels) if ((await queryRange(panel)).length === 0) empty.push(panel);
  console.log(
    `dashboard: ${panels.length - empty.length} of ${panels.length} expressions have series`,
  );
  for (const panel of empty) console.log(`  no series for ${panel}`);
  const errors = panels.find((panel) => panel.includes('or vector(0)')) ?? '';
  // A point covers the RATE_S seconds before it. The points of the first minute are left out, because they would
  // include calls from before this run.
  const [shown, seen] = [
    await queryRange(errors, from + RATE_MS),
    await queryRange(ERRORS, from + RATE_MS),
  ];
  const points = shown
    .flatMap(({ values }) => values.filter(([, value]) => Number(value) > 0))
    .map(([second]) => second * 1_000);
  const isEach = judgePoints(points, killPeriods(answers, done), { from, seen });
  const down = await queryRange('up == 0');
  for (const { metric, values } of down) {
    console.log(`  ${metric['instance']} was down for ${values.length * STEP_S} s`);
  }
  return isEach && down.length > 0;
}

/** Prints the kill and the counted errors for each point with errors; returns whether a kill explains every point. */
function judgePoints(
  points: readonly number[],
  periods: readonly KillPeriod[],
  { from, seen }: { from: number; seen: readonly Series[] },
): boolean {
  const owners = killsOfPoints(points, periods, RATE_MS);
  for (const [index, at] of points.entries()) {
    const counted = seen.flatMap(({ metric, values }) => {
      const value = values.find(([second]) => second * 1_000 === at)?.[1];
      const { instance, endpoint, status } = metric;
      return value === undefined ? [] : [`${endpoint} ${status} at ${instance}`];
    });
    const owner = owners[index] ?? 'NO KILL';
    console.log(`  errors shown at ${inSeconds(at - from)} s: ${owner} (${counted.join(', ')})`);
  }
  const strays = owners.filter((owner) => owner === undefined).length;
  console.log(`  ${points.length} points show errors, ${strays} of them without a kill`);
  return strays === 0;
}

/**
 * Returns, for each point, the name of the kill that caused the errors: the last kill that made calls fail in the
 * `rateMs` before the point. The name is undefined if there is no such kill.
 */
export function killsOfPoints(
  points: readonly number[],
  periods: readonly KillPeriod[],
  rateMs: number,
): (string | undefined)[] {
  return points.map(
    (at) =>
      periods.findLast((kill) => kill.at <= at && kill.until > at - rateMs && kill.until > kill.at)
        ?.name,
  );
}

/** Returns each kill with the end of its last failed call. */
export function killPeriods(answers: readonly ScoreAnswer[], done: readonly Kill[]): KillPeriod[] {
  return done.map((harm, index) => {
    const failed = failedAfter(answers, done, index);
    return { ...harm, until: Math.max(harm.at, ...failed.map(({ endedAt }) => endedAt)) };
  });
}

function failedAfter(
  answers: readonly ScoreAnswer[],
  done: readonly Kill[],
  index: number,
): ScoreAnswer[] {
  const [from, until] = [done[index]?.at ?? 0, done[index + 1]?.at ?? Infinity];
  return answers.filter(({ status, at }) => status !== 200 && at >= from && at < until);
}
