import type { ScoreReliability } from '../../models/score-reliability.ts';
import { bandsOf, tenthsOf } from './bands.ts';
import type { Scored } from './score-outcomes.ts';

/** From here on the model has its full share of the score, and the score its marks. */
const FULL_CONFIDENCE = 0.5;

/** The score's own reliability, on flights asked for with their hour where it is known. No event is in a history. */
export function scoreReliability(scored: Scored[]): ScoreReliability {
  const full = scored.filter(({ confidence }) => confidence >= FULL_CONFIDENCE);
  const low = scored.filter(({ confidence }) => confidence < FULL_CONFIDENCE);
  const [n, disrupted] = scored.reduce(
    ([all, bad], { outcome: { completed_count, cancelled_count, delayed_count } }) => [
      all + completed_count + cancelled_count,
      bad + delayed_count + cancelled_count,
    ],
    [0, 0],
  );
  return {
    n,
    disrupted: n === 0 ? null : disrupted / n,
    bands: bandsOf(scored),
    tenths: tenthsOf(scored),
    byConfidence: [
      { from: 0, to: 49, bands: bandsOf(low) },
      { from: 50, to: 100, bands: bandsOf(full) },
    ],
    coverage: coverageOf(scored),
  };
}

function coverageOf(scored: Scored[]): NonNullable<ScoreReliability['coverage']> {
  const [airports, carriers, routes] = [new Set(), new Set(), new Set()];
  for (const { outcome } of scored) {
    const { origin, dest, carrier } = outcome;
    airports.add(origin).add(dest);
    carriers.add(carrier);
    routes.add(`${origin}-${dest}`);
  }
  return { airports: airports.size, carriers: carriers.size, routes: routes.size };
}
