import { departuresOf, statsOf } from '../../../models/brands.ts';
import { isCurrentService, type Service } from '../../../models/sold-airlines.ts';
import { HOURS } from '../../../warehouse/ground/hours.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { round } from '../../../warehouse/ground/numbers.ts';
import type { Airport, ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { outlookBodyOf } from '../../presenters/outlook-body.ts';
import type { Label } from '../../schemas/label.ts';
import { assessNow } from '../../scoring/assess.ts';
import { hourShare } from '../../scoring/flown-hours.ts';
import { lateShare } from '../views/flight/figures.ts';
import { soldServicesOf } from './sold.ts';
import { mapInSlices } from './time-slices.ts';

/** Minimum number of flights in the record. Airlines with fewer flights are not listed. */
const MIN_RECORD_FLIGHTS = 100;
/**
 * Minimum share of the airline's flights. An hour with a smaller share is not listed, because the airline hardly ever
 * departs in this hour.
 */
const MIN_HOUR_SHARE = 0.05;

/** The departures that one airline sells to one destination in one hour. */
export type HourDeparture = {
  route: Service;
  store: ScoreStore;
  hour: number;
  /** Number of recorded departures in this hour. Averages use this number as the weight of the departure. */
  flights: number;
  score: number;
  label: Label;
  share: number | null;
  /** Whether current events affect the departure. */
  isAffected: boolean;
  /** Whether the airline departs in this hour often enough for a line of its own. */
  isListed: boolean;
};

/** Scores the departures of all current airline-routes from the airport, in each of their hours. */
export async function scoreDepartures(
  airport: Airport,
  date: string,
  { whole, deps }: { whole: ScoreStore; deps: ApiDeps },
): Promise<HourDeparture[]> {
  const records = [whole, ...whole.parts];
  const routes = records.flatMap((store) =>
    (soldServicesOf(store).byOrigin.get(airport.iata) ?? [])
      .filter(({ origin, dest }) => store.forRoute(origin, dest) === store)
      .map((route) => ({ route, store })),
  );
  const current = await mapInSlices(routes, ({ route, store }) => hoursFlown(route, store));
  return mapInSlices(current.flat(), (one) => {
    const query = { ...one.route, flightDate: date, crsDepHour: one.hour };
    const assessment = assessNow(query, one.store, deps);
    const { score, label, danger } = assessment;
    const share = shareOf({ query, assessment, store: one.store });
    return { ...one, score, label, share, isAffected: danger !== undefined };
  });
}

/**
 * Returns the probability that the flight arrives more than 30 minutes late or is cancelled. The probability comes from
 * the model or, without a model, from the statistics. Null without a record.
 */
export function shareOf(flight: Parameters<typeof outlookBodyOf>[0]): number | null {
  const { tier, logOdds } = flight.assessment;
  if (tier === 'no_data') return null;
  const outlook = outlookBodyOf(flight);
  return round(outlook ? lateShare(outlook) : expit(logOdds), 4);
}

/** Lists the hours in which the airline departs. Empty if the airline has left the route. */
function hoursFlown(route: Service, store: ScoreStore) {
  const flights = departuresOf(route, store);
  const flightCount = statsOf(route, store)?.flightCount ?? 0;
  const shareOf = hourShare(route, store);
  if (!isCurrentService(route, store) || !flights || !shareOf) return [];
  return HOURS.filter((hour) => (flights[hour] as number) > 0).map((hour) => ({
    ...{ route, store, hour },
    flights: flights[hour] as number,
    isListed: flightCount >= MIN_RECORD_FLIGHTS && shareOf(hour) >= MIN_HOUR_SHARE,
  }));
}
