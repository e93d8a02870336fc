import { curveAtRate, fitSlope } from '../../models/evaluate/score-curve.ts';
import type { Case } from '../../models/evaluate/metrics.ts';
import { expit } from '../../warehouse/ground/log-odds.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import { casesOf, rateOf, type Curves } from './cases.ts';
import { forecast, type ForecastDeps, type Forecasts, type Hours } from './forecasts.ts';
import { expectedLevel } from '../../models/effect-odds.ts';

type ByScore<T> = Record<'linear' | 'blend', T>;

/** Log-odds of a delay per point of each score, with and without the hour. */
export type Slopes = Record<Hours, ByScore<number>>;

/**
 * Fits the log-odds per point for each score. The fit needs forecasts of past flights, which come from a smaller
 * backtest. This backtest forecasts the last third of the past flights from the earlier flights.
 */
export async function fitSlopes(
  past: Outcome[],
  cut: string,
  deps: ForecastDeps & { log: (line: string) => void },
): Promise<Slopes> {
  const from = lastThirdOf(past);
  const span = `from ${from} to before ${cut}`;
  deps.log(`fitting the score curves on the flights ${span}`);
  const recent = past.filter(({ flight_date }) => flight_date >= from);
  rateOf(recent, span);
  const knowledge = await deps.knowledgeAsOf(from);
  const scored = forecast(knowledge, recent, deps.train(knowledge, 'curves'), deps);
  return byScore((hours, method) => fitSlope(casesOf(scored[hours], method)));
}

/**
 * Returns the curves that convert scores to probabilities. Each curve is set so that the mean probability of past
 * flights has this value:
 * - If the current levels are known, the mean probability that the model forecasts for these flights.
 * - Otherwise, the level that is expected after a history with the delay rate `rate`.
 * The second rule also applies during a pandemic, because levels leave out the months of a pandemic.
 */
export function curvesOf(
  slopes: Slopes,
  past: Forecasts,
  { rate, isLevelNow }: { rate: number; isLevelNow: boolean },
): Curves {
  return byScore((hours, method) => {
    const cases = casesOf(past[hours], method);
    const modelMean = isLevelNow ? meanForecast(casesOf(past[hours], 'ml')) : undefined;
    return curveAtRate(slopes[hours][method], cases, modelMean ?? expit(expectedLevel(rate)));
  });
}

function meanForecast(cases: Case[]): number | undefined {
  const flights = sum(cases.map((one) => one.flights));
  return flights === 0 ? undefined : sum(cases.map((one) => one.flights * one.p)) / flights;
}

/**
 * Returns the first day of the last third of the months. With fewer than three months, returns the first day of the
 * last third of the days.
 */
function lastThirdOf(past: Outcome[]): string {
  const days = [...new Set(past.map(({ flight_date }) => flight_date))].toSorted();
  const months = [...new Set(days.map((day) => day.slice(0, 7)))];
  if (months.length < 3) return days[Math.floor((2 * days.length) / 3)] as string;
  return `${months[Math.ceil((2 * months.length) / 3)]}-01`;
}

function byScore<T>(
  compute: (hours: Hours, method: 'linear' | 'blend') => T,
): Record<Hours, ByScore<T>> {
  const computeBoth = (hours: Hours) => ({
    linear: compute(hours, 'linear'),
    blend: compute(hours, 'blend'),
  });
  return {
    with_dep_time: computeBoth('with_dep_time'),
    without_dep_time: computeBoth('without_dep_time'),
  };
}
