import { monthsOf } from '../../../models/brands.ts';
import type { Assessment } from '../../../models/types.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { chooseAlternatives, CHANGES, listCandidates } from '../../scoring/alternatives.ts';
import { assessNow } from '../../scoring/assess.ts';
import { scorableDates, type KnownFlight } from '../../scoring/flight-query.ts';
import type { BetterFlight } from '../views/flight/flight-data.ts';
import { shareOf } from './today-departures.ts';
import { mapInSlices } from './time-slices.ts';

/**
 * Returns the best alternative for each kind of change, largest gain first. Also returns whether events affect a
 * compared flight.
 */
export async function betterFlights(
  flight: KnownFlight,
  assessment: Assessment,
  { store, deps }: { store: ScoreStore; deps: ApiDeps },
): Promise<{ better: BetterFlight[]; hasEvents: boolean }> {
  const dates = scorableDates(flight.origin, deps.now());
  const candidates = await mapInSlices(listCandidates(flight, dates, store), (candidate) => ({
    ...candidate,
    assessment: assessNow(candidate.query, store, deps),
  }));
  const all = chooseAlternatives(assessment, candidates, store);
  const best = new Set(CHANGES.map((change) => all.find((one) => one.change === change)));
  return {
    better: all
      .filter((one) => best.has(one))
      .map(({ change, query, depTime, assessment }) => ({
        change,
        origin: query.origin,
        dest: query.dest,
        airline: query.carrier,
        airline_name: store.airline(query.carrier)?.name ?? query.carrier,
        record: monthsOf(query, store) ?? null,
        date: query.flightDate,
        ...(depTime !== undefined && { depTime }),
        score: assessment.score,
        share: shareOf({ query, assessment, store }),
      })),
    hasEvents: candidates.some((one) => one.assessment.danger !== undefined),
  };
}
