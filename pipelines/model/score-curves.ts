import { curveAtRate, fitSlope } from '../../models/evaluate/score-curve.ts';
import type { Case } from '../../models/evaluate/metrics.ts';
import { expit } from '../../warehouse/ground/log-odds.ts';
import { sum } from '../../warehouse/ground/sum.ts';
import { expectedLevel } from '../../models/expected-level.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import { casesOf, rateOf, type Curves } from './cases.ts';
import { forecast, type ForecastDeps, type Forecasts, type Hours } from './forecasts.ts';

type ByScore<T> = Record<'linear' | 'blend', T>;

/** Log-odds of a delay for one point of each score, with the hour and without. */
export type Slopes = Record<Hours, ByScore<number>>;

/**
 * How much a point of each score means, from a smaller back-test inside the training part: its last third, forecast
 * from what came before.
 */
export async function fitSlopes(
  past: Outcome[],
  cut: string,
  deps: ForecastDeps & { log: (line: string) => void },
): Promise<Slopes> {
  const from = lastThirdOf(past);
  const span = `from ${from} to before ${cut}`;
  deps.log(`fitting the curves of the scores on the flights ${span}`);
  const recent = past.filter(({ flight_date }) => flight_date >= from);
  rateOf(recent, span);
  const knowledge = await deps.knowledgeAsOf(from);
  const scored = forecast(knowledge, recent, deps.train(knowledge, 'curves'), deps);
  return byScore((hours, method) => fitSlope(casesOf(scored[hours], method)));
}

/**
 * The curves that turn scores into probabilities: such that flights of the past, as they are scored now, are delayed as
 * often as the model expects of such flights, where the levels of now are known. Else, and in a pandemic, which levels
 * leave out, as is to be expected after their rate.
 */
export function curvesOf(
  slopes: Slopes,
  past: Forecasts,
  { rate, isLevelNow }: { rate: number; isLevelNow: boolean },
): Curves {
  return byScore((hours, method) => {
    const cases = casesOf(past[hours], method);
    const told = isLevelNow ? meanOf(casesOf(past[hours], 'ml')) : undefined;
    return curveAtRate(slopes[hours][method], cases, told ?? expit(expectedLevel(rate)));
  });
}

function meanOf(cases: Case[]): number | undefined {
  const flights = sum(cases.map((one) => one.flights));
  return flights === 0 ? undefined : sum(cases.map((one) => one.flights * one.p)) / flights;
}

/** First day of the last third of the months, or of the days where there are fewer than three months. */
function lastThirdOf(past: Outcome[]): string {
  const days = [...new Set(past.map(({ flight_date }) => flight_date))].toSorted();
  const months = [...new Set(days.map((day) => day.slice(0, 7)))];
  if (months.length < 3) return days[Math.floor((2 * days.length) / 3)] as string;
  return `${months[Math.ceil((2 * months.length) / 3)]}-01`;
}

function byScore<T>(
  of: (hours: Hours, method: 'linear' | 'blend') => T,
): Record<Hours, ByScore<T>> {
  const both = (hours: Hours) => ({ linear: of(hours, 'linear'), blend: of(hours, 'blend') });
  return { with_dep_time: both('with_dep_time'), without_dep_time: both('without_dep_time') };
}
