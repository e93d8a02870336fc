import type { Case } from './metrics.ts';

/** Shares of all flights, of those delayed and of those not, that have a forecast at least this high; 0 to 1. */
export type RankPoint = { flights: number; delayed: number; onTime: number };

const POINTS = 50;

/**
 * From nothing to everything, the highest forecast first, in about as many steps of equal size as there are `points`.
 * `delayed` over `flights` is the gain curve, `delayed` over `onTime` the ROC. Like forecasts are one step, never cut.
 */
export function ranking(cases: Case[], points: number = POINTS): RankPoint[] {
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
