import { expressions } from '../alerts/expressions.ts';
import { inSeconds } from './callers.ts';
import type { Scored } from './deploy-callers.ts';

export type HarmDone = { at: number; name: string };

/** Calls may fail so long after a kill. */
export const WITHIN_MS = 5_000;
/** Of Prometheus: between two looks, and what a panel takes a rate over. */
const [LOOK_S, RATE_S] = [15, 60];

/** What callers got after each kill. */
export function tellCalls(
  answers: readonly Scored[],
  done: readonly HarmDone[],
  counted: number,
): boolean {
  let isHeld = true;
  for (const [index, { at, name }] of done.entries()) {
    const next = done[index + 1]?.at ?? Infinity;
    const failed = answers.filter((one) => one.at >= at && one.at < next && one.status !== 200);
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
    `${good} of ${answers.length} calls answered, ${wrong} of them wrong, ${counted} counted`,
  );
  return isHeld && wrong === 0 && before === 0;
}

/** What the dashboard shows of that time: each panel has something, and errors only where calls failed. */
export async function tellSeries(
  address: string,
  done: readonly HarmDone[],
  { from, until }: { from: number; until: number },
): Promise<boolean> {
  const ask = async (panel: string) => {
    const query = panel.replaceAll('$__rate_interval', `${RATE_S}s`);
    const range = { start: String(from / 1_000), end: String(until / 1_000), step: String(LOOK_S) };
    const words = new URLSearchParams({ query, ...range });
    const answer = await fetch(`http://${address}:9090/api/v1/query_range?${words}`);
    const { data } = (await answer.json()) as {
      data: { result: { metric: Record<string, string>; values: [number, string][] }[] };
    };
    return data.result;
  };
  const { panels } = await expressions();
  const empty: string[] = [];
  for (const panel of panels) if ((await ask(panel)).length === 0) empty.push(panel);
  const errors = panels.find((panel) => panel.includes('or vector(0)')) ?? '';
  const shown = (await ask(errors)).flatMap(({ values }) =>
    values.filter(([, value]) => Number(value) > 0).map(([at]) => at * 1_000),
  );
  const lasts = WITHIN_MS + (RATE_S + 2 * LOOK_S) * 1_000;
  const strays = shown.filter((at) => !done.some((harm) => at >= harm.at && at <= harm.at + lasts));
  const after = done.filter((harm) => shown.some((at) => at >= harm.at && at <= harm.at + lasts));
  console.log(
    `dashboard: ${panels.length - empty.length} of ${panels.length} panels' series; errors shown after ${after.map(({ name }) => name).join(', ') || 'nothing'}, ${strays.length} elsewhere`,
  );
  for (const at of strays) {
    console.log(`  errors shown ${inSeconds(at - from)} s after the first call`);
  }
  for (const panel of empty) console.log(`  nothing for ${panel}`);
  const down = await ask('up == 0');
  for (const { metric, values } of down) {
    console.log(`  ${metric['instance']} was down for ${values.length * LOOK_S} s`);
  }
  return strays.length === 0 && down.length > 0;
}
