import type { ScoreReliability } from '../../models/score-reliability.ts';
import { bandsOf, tenthsOf } from './bands.ts';
import type { Scored } from './score-outcomes.ts';

/** From here on the model has its full share of the score, and the score its marks. */
const FULL_CONFIDENCE = 0.5;

/** The score's own reliability, on flights asked for with their hour where it is known. No event is in a history. */
export function scoreReliability(scored: Scored[]): ScoreReliability {
  const full = scored.filter(({ confidence }) => confidence >= FULL_CONFIDENCE);
  const low = scored.filter(({ confidence }) => confidence < FULL_CONFIDENCE);
  const months = Map.groupBy(scored, ({ outcome }) => outcome.flight_date.slice(0, 7));
  return {
    ...allOf(scored),
    bands: bandsOf(scored),
    tenths: tenthsOf(scored),
    byConfidence: [
      { from: 0, to: 49, bands: bandsOf(low) },
      { from: 50, to: 100, bands: bandsOf(full) },
    ],
    byMonth: [...months]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([month, some]) => ({ month, ...allOf(some), bands: bandsOf(some) })),
    coverage: coverageOf(scored),
  };
}

function allOf(scored: Scored[]): Pick<ScoreReliability, 'n' | 'disrupted'> {
  let [n, disrupted] = [0, 0];
  for (const { outcome } of scored) {
    const { completed_count, cancelled_count, delayed_count } = outcome;
    n += completed_count + cancelled_count;
    disrupted += delayed_count + cancelled_count;
  }
  return { n, disrupted: n === 0 ? null : disrupted / n };
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
