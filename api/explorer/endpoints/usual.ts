import { usualHours, usualShare, type Days, type UsualHour } from '../../../models/usual-risk.ts';
import { scorePoints } from '../../../models/points.ts';
import { HOURS } from '../../../warehouse/ground/hours.ts';
import { logit } from '../../../warehouse/ground/log-odds.ts';
import { round } from '../../../warehouse/ground/round.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import type { Risk, RiskGrid } from '../views/places/places-data.ts';
import { inTurns } from './turns.ts';

/** Airline-routes worked out at once: some fifth of a millisecond. */
const AT_ONCE = 4;

/** As `usualHours`, in pieces. */
async function usualHoursIn(
  services: readonly AirlineRoute[],
  days: Days,
  store: ScoreStore,
): Promise<UsualHour[]> {
  const starts = Array.from(
    { length: Math.ceil(services.length / AT_ONCE) },
    (_, at) => at * AT_ONCE,
  );
  const pieces = await inTurns(starts, (at) =>
    usualHours(services.slice(at, at + AT_ONCE), days, store),
  );
  return hoursTogether(pieces);
}

/** The hours of several as those of one. */
export function hoursTogether(several: readonly UsualHour[][]): UsualHour[] {
  return HOURS.map((hour) => {
    let [flights, troubled] = [0, 0];
    for (const hours of several) {
      const one = hours[hour] as UsualHour;
      flights += one.flights;
      troubled += one.flights * one.share;
    }
    return { flights, share: flights === 0 ? 0 : troubled / flights };
  });
}

/** A share of flights late or cancelled, with the points that such odds have on the scale of the score. */
function riskOf(share: number): Risk {
  const { score } = scorePoints(logit(Math.min(1 - 1e-6, Math.max(1e-6, share))), undefined);
  return { share: round(share, 4), score: Math.round(score) };
}

/** What flights of those airline-routes are to be expected to be, all hours and days together; null without any. */
export async function usualRisk(
  services: readonly AirlineRoute[],
  store: ScoreStore,
): Promise<Risk | null> {
  const share = usualShare(await usualHoursIn(services, {}, store));
  return share === undefined ? null : riskOf(share);
}

/** The same by hour for each of those days: rows of 24, null in an hour without flights. */
export async function riskGrid(
  services: readonly AirlineRoute[],
  days: readonly Days[],
  store: ScoreStore,
): Promise<RiskGrid> {
  return Array.fromAsync(days, async (day) => riskRow(await usualHoursIn(services, day, store)));
}

/** The hours of a day; null where nothing leaves. */
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
