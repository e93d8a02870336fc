import { usualHours, usualShare, type Days, type UsualHour } from '../../../models/usual-risk.ts';
import { scorePoints } from '../../../models/points.ts';
import { logit } from '../../../warehouse/ground/log-odds.ts';
import { round } from '../../../warehouse/ground/numbers.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { Risk, RiskGrid } from '../views/places/places-data.ts';
import { mapInSlices } from './time-slices.ts';
import { HOURS } from '../../../warehouse/ground/hours.ts';

/** Number of airline-routes per time slice. A slice of this size takes about a fifth of a millisecond. */
const SERVICES_PER_SLICE = 4;

/** Computes `usualHours` for each airline-route. Other requests can run between two slices of this work. */
async function usualHoursInSlices(
  services: readonly Service[],
  days: Days,
  store: ScoreStore,
): Promise<UsualHour[]> {
  const starts = Array.from(
    { length: Math.ceil(services.length / SERVICES_PER_SLICE) },
    (_, at) => at * SERVICES_PER_SLICE,
  );
  const pieces = await mapInSlices(starts, (at) =>
    usualHours(services.slice(at, at + SERVICES_PER_SLICE), days, store),
  );
  return mergeHours(pieces);
}

/** Merges several lists of 24 hours into one. The shares are averages, weighted by flights. */
export function mergeHours(parts: readonly UsualHour[][]): UsualHour[] {
  return HOURS.map((hour) => {
    let [flights, disrupted] = [0, 0];
    for (const hours of parts) {
      const one = hours[hour] as UsualHour;
      flights += one.flights;
      disrupted += one.flights * one.share;
    }
    return { flights, share: flights === 0 ? 0 : disrupted / flights };
  });
}

/** Converts a share of late or cancelled flights to a risk: the share, and its points on the scale of the score. */
function riskOf(share: number): Risk {
  const { score } = scorePoints(logit(Math.min(1 - 1e-6, Math.max(1e-6, share))), undefined);
  return { share: round(share, 4), score: Math.round(score) };
}

/** Returns the expected risk of these airline-routes over all hours and days. Null without flights. */
export async function usualRisk(
  services: readonly Service[],
  store: ScoreStore,
): Promise<Risk | null> {
  const share = usualShare(await usualHoursInSlices(services, {}, store));
  return share === undefined ? null : riskOf(share);
}

/** Returns the expected risk per hour: one row of 24 hours for each item of `days`. An hour without flights is null. */
export async function riskGrid(
  services: readonly Service[],
  days: readonly Days[],
  store: ScoreStore,
): Promise<RiskGrid> {
  return Array.fromAsync(days, async (day) =>
    riskRow(await usualHoursInSlices(services, day, store)),
  );
}

/** Converts the 24 hours of a day to risks; null for an hour without flights. */
function riskRow(hours: readonly UsualHour[]): RiskGrid[number] {
  const all = hours.reduce((sum, { flights }) => sum + flights, 0);
  return hours.map(({ flights, share }) =>
    flights === 0 ? null : { ...riskOf(share), flights: round(flights / all, 4) },
  );
}

export const WEEKDAYS: readonly Days[] = Array.from({ length: 7 }, (_, at) => ({
  weekday: at + 1,
}));

export const MONTHS: readonly Days[] = Array.from({ length: 12 }, (_, at) => ({ month: at + 1 }));
