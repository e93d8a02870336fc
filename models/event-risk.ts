/** An event as far as the risk of a flight goes. */
export type FlightEvent = {
  eventType: EventType;
  /** 0 to 1. */
  severity: number;
  /** ISO in UTC. */
  publishedAt: string;
  touches: { airports: string[]; carriers: string[]; countries: string[] };
};

export type EventType = 'strike' | 'weather' | 'atc' | 'security' | 'technical' | 'general';

/** The flight, its date and the countries of its two ends. */
export type EventFlight = {
  origin: string;
  dest: string;
  carrier: string;
  flightDate: string;
  countries: string[];
};

const DAY_MS = 86_400_000;

/** News older than this says nothing any more. */
export const NEWS_DAYS = 7;

/**
 * How many days after the report a flight can still be touched: weather passes, repairs are quick, strikes are
 * announced ahead. Full for the first half, then falling to nothing.
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

/**
 * Risk from events, 0 to 1: each by its severity, faded by its age and by how far ahead the flight is, together
 * one minus the chance that none strikes. Events that do not touch the flight add nothing. Pure.
 */
export function eventRisk(flight: EventFlight, events: readonly FlightEvent[], now: Date): number {
  let calm = 1;
  for (const event of events) calm *= 1 - event.severity * weight(event, flight, now);
  return 1 - calm;
}

function weight(event: FlightEvent, flight: EventFlight, now: Date): number {
  return share(event, flight) * fading(event.publishedAt, now) * nearness(event, flight.flightDate);
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

/** 1 when it is reported, 0 after seven days; a report from the future is as good as new. */
function fading(publishedAt: string, now: Date): number {
  const days = (now.getTime() - Date.parse(publishedAt)) / DAY_MS;
  return Math.min(1, Math.max(0, 1 - days / NEWS_DAYS));
}

/** 1 for flights soon after the report, 0 for those beyond its reach and those already gone a day before it. */
function nearness({ eventType, publishedAt }: FlightEvent, flightDate: string): number {
  const reported = Date.parse(publishedAt.slice(0, 10));
  const days = (Date.parse(flightDate) - reported) / DAY_MS;
  // Yesterday there may be today here: reports are in UTC, flights in local days.
  if (days < -1) return 0;
  const reach = REACH_DAYS[eventType];
  return Math.min(1, Math.max(0, (2 * (reach - days)) / reach));
}
