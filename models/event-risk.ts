import { DAY_MS, daysBetween } from '../warehouse/ground/dates.ts';
import type { EventType } from '../warehouse/live/news.ts';

/** Fields of an event that affect the risk of a flight. */
export type FlightEvent = {
  eventType: EventType;
  /** 0 to 1. */
  severity: number;
  /** ISO in UTC. */
  publishedAt: string;
  touches: { airports: string[]; carriers: string[]; countries: string[] };
  /** First and last day that the report names, `YYYY-MM-DD`; absent when the report names no day. */
  days?: { from: string; until: string } | undefined;
  /** Name of the publisher. */
  source: string;
};

/** A flight, with the date and the countries of both airports. */
export type EventFlight = {
  origin: string;
  dest: string;
  carrier: string;
  flightDate: string;
  countries: string[];
};

/**
 * Number of days after which news has no effect. The days are counted from the publication or, if this is later, from
 * the end of the last day that the report names.
 */
export const NEWS_DAYS = 7;

/**
 * If the report names no day, a flight can be affected up to this number of days after the report. Strikes have the
 * most days, because they are announced ahead; weather and technical failures pass within days.
 */
const REACH_DAYS: Record<EventType, number> = {
  weather: 4,
  technical: 4,
  atc: 6,
  security: 8,
  strike: 14,
  general: 14,
};

/** Share of an event that applies to a flight at a named airport if the report names only other airlines. */
const BYSTANDER_SHARE = 0.5;

/**
 * Returns the weight of an event for a flight, 0 to 1. It is the product of three numbers: the share of the event that
 * applies to the flight, the freshness of the report, and the nearness in time.
 */
export function weightOf(event: FlightEvent, flight: EventFlight, now: Date): number {
  return (
    shareOfFlight(event, flight) * freshnessAt(event, now) * nearnessOf(event, flight.flightDate)
  );
}

/**
 * Returns the share of an event that applies to the flight. A flight is at the place of the event if the report names
 * one of its airports, or the country of one of its airports.
 * - If the report names the flight's airline or no airline, the share is 1 at the place of the event.
 * - If the report names the flight's airline but no place, the share is 1 everywhere.
 * - If the report names only other airlines, the share is `BYSTANDER_SHARE` at a named airport.
 * - In all other cases, the share is 0.
 */
export function shareOfFlight(
  { touches }: Pick<FlightEvent, 'touches'>,
  flight: EventFlight,
): number {
  const { airports, carriers, countries } = touches;
  const isAtAirport = airports.some((code) => code === flight.origin || code === flight.dest);
  const isInCountry = countries.some((code) => flight.countries.includes(code));
  const hasPlace = airports.length + countries.length > 0;
  const isAtPlace = isAtAirport || isInCountry;
  if (carriers.length === 0) return isAtPlace ? 1 : 0;
  if (carriers.includes(flight.carrier)) return !hasPlace || isAtPlace ? 1 : 0;
  return isAtAirport ? BYSTANDER_SHARE : 0;
}

/**
 * Returns the freshness of a report, 0 to 1. It is 1 at the publication, or until the last day that the report names.
 * It then falls to 0 within seven days. A report with a time in the future has freshness 1.
 */
function freshnessAt({ publishedAt, days }: FlightEvent, now: Date): number {
  const daysEndMs = days === undefined ? 0 : Date.parse(days.until) + DAY_MS;
  const ageDays = (now.getTime() - Math.max(Date.parse(publishedAt), daysEndMs)) / DAY_MS;
  return Math.min(1, Math.max(0, 1 - ageDays / NEWS_DAYS));
}

/** Weight of an event on the day after its last day, when aircraft and crews are still out of place. */
const DAY_AFTER_SHARE = 0.25;

/**
 * Returns the nearness of a flight to an event in time, 0 to 1. If the report names days, the nearness is 1 on these
 * days, a quarter on the day after, and 0 on other days. If the report names no days, it is 1 on the day of the report,
 * falls with the square of the remaining days, and is 0 after `REACH_DAYS`. For flights more than a day before the
 * report, it is 0.
 */
function nearnessOf({ eventType, publishedAt, days }: FlightEvent, flightDate: string): number {
  if (days !== undefined) {
    if (flightDate >= days.from && flightDate <= days.until) return 1;
    return daysBetween(days.until, flightDate) === 1 ? DAY_AFTER_SHARE : 0;
  }
  const daysAhead = daysBetween(publishedAt.slice(0, 10), flightDate);
  // Reports are dated in UTC, flights in local time. A flight that is dated a day before the report may therefore be on
  // the same local day.
  if (daysAhead < -1) return 0;
  const reachDays = REACH_DAYS[eventType];
  return Math.min(1, Math.max(0, 1 - daysAhead / reachDays)) ** 2;
}
