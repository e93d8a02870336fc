import { usualHours, usualShare, type Days } from '../../../models/usual-risk.ts';
import { scorePoints } from '../../../models/points.ts';
import { logit } from '../../../warehouse/ground/log-odds.ts';
import { round } from '../../../warehouse/ground/round.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import type { Risk, RiskGrid } from '../views/places/places-data.ts';

/** A share of flights late or cancelled, with the points that such odds have on the scale of the score. */
function riskOf(share: number): Risk {
  const { score } = scorePoints(logit(Math.min(1 - 1e-6, Math.max(1e-6, share))), undefined);
  return { share: round(share, 4), score: Math.round(score) };
}

/** What flights of those airline-routes are to be expected to be, all hours and days together; null without any. */
export function usualRisk(services: readonly AirlineRoute[], store: ScoreStore): Risk | null {
  const share = usualShare(usualHours(services, {}, store));
  return share === undefined ? null : riskOf(share);
}

/** The same by hour for each of those days: rows of 24, null in an hour without flights. */
export function riskGrid(
  services: readonly AirlineRoute[],
  days: readonly Days[],
  store: ScoreStore,
): RiskGrid {
  return days.map((day) => riskRow(usualHours(services, day, store)));
}

/** The hours of a day; null where nothing leaves. */
function riskRow(hours: ReturnType<typeof usualHours>): RiskGrid[number] {
  const all = hours.reduce((sum, { flights }) => sum + flights, 0);
  return hours.map(({ flights, share }) =>
    flights === 0 ? null : { ...riskOf(share), flights: round(flights / all, 4) },
  );
}

export const WEEKDAYS: readonly Days[] = Array.from({ length: 7 }, (_, at) => ({
  weekday: at + 1,
}));

export const MONTHS: readonly Days[] = Array.from({ length: 12 }, (_, at) => ({ month: at + 1 }));
