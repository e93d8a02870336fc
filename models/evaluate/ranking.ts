import type { Case } from './metrics.ts';

/**
 * A point of a ranking by forecast. It has three shares, 0 to 1, of flights at or above a certain forecast: among all
 * flights, among the delayed flights and among the flights on time.
 */
export type RankPoint = { flights: number; delayed: number; onTime: number };

const POINTS = 50;

/**
 * Returns the cumulative shares from the highest forecast down, in about `points` steps of equal size. `delayed`
 * plotted against `flights` is the gain curve; `delayed` plotted against `onTime` is the ROC curve. Flights with equal
 * forecasts are in the same step.
 */
export function rankingOf(cases: Case[], points: number = POINTS): RankPoint[] {
  const all = { flights: 0, delayed: 0 };
  for (const { flights, delayed } of cases) {
    all.flights += flights;
    all.delayed += delayed;
  }
  const curve: RankPoint[] = [{ flights: 0, delayed: 0, onTime: 0 }];
  let [flights, delayed] = [0, 0];
  const sorted = cases.toSorted((a, b) => b.p - a.p);
  for (const [at, one] of sorted.entries()) {
    flights += one.flights;
    delayed += one.delayed;
    const isTie = sorted[at + 1]?.p === one.p;
    if (isTie || flights < (curve.length * all.flights) / points) continue;
    curve.push({
      flights: flights / all.flights,
      delayed: delayed / all.delayed,
      onTime: (flights - delayed) / (all.flights - all.delayed),
    });
  }
  return curve;
}
