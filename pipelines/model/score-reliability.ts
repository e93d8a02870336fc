import type { ScoreReliability } from '../../models/score-reliability.ts';
import { bandsOf, tenthsOf } from './bands.ts';
import type { ScoredOutcome } from './score-outcomes.ts';

/**
 * Confidence from which the model has its full weight. From this confidence on, the score uses the line that was fitted
 * for scores with a model.
 */
const FULL_CONFIDENCE = 0.5;

/**
 * Measures the reliability of the score, for requests with the hour if the hour is known. Past flights are scored
 * without events.
 */
export function scoreReliability(scored: ScoredOutcome[]): ScoreReliability {
  const full = scored.filter(({ confidence }) => confidence >= FULL_CONFIDENCE);
  const low = scored.filter(({ confidence }) => confidence < FULL_CONFIDENCE);
  const months = Map.groupBy(scored, ({ outcome }) => outcome.flight_date.slice(0, 7));
  return {
    ...totalsOf(scored),
    bands: bandsOf(scored),
    tenths: tenthsOf(scored),
    byConfidence: [
      { from: 0, to: 49, bands: bandsOf(low) },
      { from: 50, to: 100, bands: bandsOf(full) },
    ],
    byMonth: [...months]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([month, group]) => ({ month, ...totalsOf(group), bands: bandsOf(group) })),
    coverage: coverageOf(scored),
  };
}

function totalsOf(scored: ScoredOutcome[]): Pick<ScoreReliability, 'n' | 'disrupted'> {
  let [n, disrupted] = [0, 0];
  for (const { outcome } of scored) {
    const { completed_count, cancelled_count, delayed_count } = outcome;
    n += completed_count + cancelled_count;
    disrupted += delayed_count + cancelled_count;
  }
  return { n, disrupted: n === 0 ? null : disrupted / n };
}

function coverageOf(scored: ScoredOutcome[]): NonNullable<ScoreReliability['coverage']> {
  const [airports, carriers, routes] = [new Set(), new Set(), new Set()];
  for (const { outcome } of scored) {
    const { origin, dest, carrier } = outcome;
    airports.add(origin).add(dest);
    carriers.add(carrier);
    routes.add(`${origin}-${dest}`);
  }
  return { airports: airports.size, carriers: carriers.size, routes: routes.size };
}
