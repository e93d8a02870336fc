import { DAY_MS, daysBetween } from '../warehouse/ground/dates.ts';
import type { EventType } from '../warehouse/live/news.ts';

/** An event as far as the risk of a flight goes. */
export type FlightEvent = {
  eventType: EventType;
  /** 0 to 1. */
  severity: number;
  /** ISO in UTC. */
  publishedAt: string;
  touches: { airports: string[]; carriers: string[]; countries: string[] };
  /** The days it names for itself, both included, `YYYY-MM-DD`; absent: none. */
  days?: { from: string; until: string } | undefined;
  /** Who reported it. */
  source: string;
};

/** The flight, its date and the countries of its two ends. */
export type EventFlight = {
  origin: string;
  dest: string;
  carrier: string;
  flightDate: string;
  countries: string[];
};

/** News older than this says nothing any more. */
export const NEWS_DAYS = 7;

/**
 * How many days after the report a flight can still be touched where the report names no day: weather passes, repairs
 * are quick, strikes are announced ahead.
 */
const REACH_DAYS: Record<EventType, number> = {
  weather: 4,
  technical: 4,
  atc: 6,
  security: 8,
  strike: 14,
  general: 14,
};

/** Other airlines at an airport where one is named: some of what keeps that one down keeps them too. */
const BYSTANDER_SHARE = 0.5;

/** How much of the event is left for the flight, 0 to 1: its share, faded by age and by how far ahead the flight is. */
export function weightOf(event: FlightEvent, flight: EventFlight, now: Date): number {
  return share(event, flight) * fading(event, now) * nearness(event, flight.flightDate);
}

/** How much of the event is the flight's: 1, 0, or that of a bystander. */
export function share({ touches }: Pick<FlightEvent, 'touches'>, flight: EventFlight): number {
  const { airports, carriers, countries } = touches;
  const isAtAirport = airports.some((code) => code === flight.origin || code === flight.dest);
  const isInCountry = countries.some((code) => flight.countries.includes(code));
  const hasPlace = airports.length + countries.length > 0;
  const isThere = isAtAirport || isInCountry;
  if (carriers.length === 0) return isThere ? 1 : 0;
  if (carriers.includes(flight.carrier)) return !hasPlace || isThere ? 1 : 0;
  return isAtAirport ? BYSTANDER_SHARE : 0;
}

/** 1 when it is reported, or until its days are over, 0 seven days later; a report from the future is as good as new. */
function fading({ publishedAt, days }: FlightEvent, now: Date): number {
  const over = days === undefined ? 0 : Date.parse(days.until) + DAY_MS;
  const old = (now.getTime() - Math.max(Date.parse(publishedAt), over)) / DAY_MS;
  return Math.min(1, Math.max(0, 1 - old / NEWS_DAYS));
}

/** What is left of it on the day after a named day: aircraft and crews are out of place. */
const DAY_AFTER = 0.25;

/**
 * Of an event with days of its own 1 on them, a quarter on the day after, and 0 else. Of any other 1 on the day it is
 * reported, falling with the square of what is left of its reach; 0 for flights gone a day before.
 */
function nearness({ eventType, publishedAt, days }: FlightEvent, flightDate: string): number {
  if (days !== undefined) {
    if (flightDate >= days.from && flightDate <= days.until) return 1;
    return daysBetween(days.until, flightDate) === 1 ? DAY_AFTER : 0;
  }
  const ahead = daysBetween(publishedAt.slice(0, 10), flightDate);
  // Yesterday there may be today here: reports are in UTC, flights in local days.
  if (ahead < -1) return 0;
  const reach = REACH_DAYS[eventType];
  return Math.min(1, Math.max(0, 1 - ahead / reach)) ** 2;
}
