import {
  CONNECTING_MINUTES,
  connectionKind,
  type ConnectionKind,
} from '../../models/connecting-times.ts';
import {
  arrivalNear,
  estimateArrival,
  minuteOf,
  minutesBetween,
  type LocalTime,
} from '../../models/scheduled-time.ts';
import { hourOfTime } from '../../warehouse/ground/hours.ts';
import type { Airport, ScoreStore } from '../../warehouse/store/types.ts';
import { attempt, prefixRefusal, RequestError } from '../errors.ts';
import type { LegParams } from '../schemas/itinerary.ts';
import { resolveFlight, type KnownFlight } from './flight-query.ts';
import { dailyFlights } from './flown-hours.ts';

/** One flight of an itinerary. */
export type Leg = {
  flight: KnownFlight & { depTime: string };
  arrival: LocalTime;
  /** Whether the arrival time is an estimate from the distance. */
  isArrivalEstimated: boolean;
  /** Minutes by which the incoming aircraft is late, if known. */
  inboundMin?: number | undefined;
};

/** A change from one flight to the next. */
export type LegChange = {
  airport: Airport;
  plannedMin: number;
  neededMin: number;
  kind: ConnectionKind | 'requested';
  /**
   * Later flights of the same airline on the same day, on the route of the connection's second flight; earliest first.
   */
  laterFlights: LaterFlight[];
  /**
   * First hour after the booked departure in which the airline usually departs, according to its record. Undefined if
   * there is no such hour.
   */
  nextHour?: number;
};

/** A flight that departs `laterMin` minutes after the booked flight. */
export type LaterFlight = {
  /** Local hour of its departure. */
  hour: number;
  laterMin: number;
  /** The usual departure time of the flight, `HH:MM`, and its number; undefined if no schedule has the flight. */
  scheduled?: { depTime: string; flightNumber: string };
};

export type Itinerary = { legs: Leg[]; changes: LegChange[] };

type Settings = {
  hasSeparateTickets: boolean;
  /** The caller's own minimum connecting time in minutes. It replaces the default times of all kinds of connections. */
  neededMin: number | undefined;
};

/** A longer wait is a stopover, not a connection. */
const MAX_CONNECTION_MIN = 24 * 60;

/**
 * Returns the flights and connections of a trip. Each function in `legs` parses the parameters of one leg. Throws a 400
 * or 404 for the parameter `legs`; the message names the leg.
 */
export function resolveItinerary(
  legs: readonly (() => LegParams)[],
  settings: Settings,
  { whole, now }: { whole: ScoreStore; now: Date },
): Itinerary {
  const resolved = legs.map((read, at) => namingLeg(at, () => resolveLeg(read(), whole, now)));
  const changes = resolved
    .slice(1)
    .map((after, at) => namingLeg(at + 1, () => changeOf(resolved[at] as Leg, after, settings)));
  return { legs: resolved, changes };
}

/** Runs `work`. If `work` throws a `RequestError`, the leg's number is added to the message. */
function namingLeg<T>(at: number, work: () => T): T {
  const result = attempt(work);
  if (result.isGood) return result.value;
  throw prefixRefusal(result.error, `Leg ${at + 1}`, () => 'legs');
}

function resolveLeg(params: LegParams, whole: ScoreStore, now: Date): Leg {
  const known = resolveFlight(params, whole, now);
  const { number, depTime } = known;
  if (depTime === undefined) {
    throw badLegs('the usual time of this flight is unknown; add the time, such as T08:00.');
  }
  // The usual arrival time is valid only together with the usual departure time.
  const usualArrival = params.dep_time === undefined ? number?.arrTime : undefined;
  const { arr_time: arrTime = usualArrival } = params;
  const flight = { ...known, depTime };
  const departure = { date: params.date, minute: minuteOf(depTime) };
  const estimate = estimateArrival(departure, flight.origin, flight.dest);
  return {
    flight,
    arrival: arrTime === undefined ? estimate : arrivalNear(estimate, minuteOf(arrTime)),
    isArrivalEstimated: arrTime === undefined,
  };
}

function changeOf(before: Leg, after: Leg, { hasSeparateTickets, neededMin }: Settings): LegChange {
  const { dest: airport } = before.flight;
  const { origin, query, depTime } = after.flight;
  if (origin.iata !== airport.iata) {
    throw badLegs(`departs from ${origin.iata}, but the previous leg arrives at ${airport.iata}.`);
  }
  const departure = { date: query.flightDate, minute: minuteOf(depTime) };
  const plannedMin = minutesBetween(before.arrival, departure);
  if (plannedMin < 0) {
    const estimated = before.isArrivalEstimated
      ? ' (estimated; add the time, such as T08:00-09:45)'
      : '';
    throw badLegs(`departs ${-plannedMin} minutes before the previous leg arrives${estimated}.`);
  }
  if (plannedMin > MAX_CONNECTION_MIN) {
    throw badLegs('departs more than 24 hours after the previous leg arrives.');
  }
  const kind = connectionKind(before.flight, after.flight, hasSeparateTickets);
  const hours = laterHours(after.flight, departure.minute);
  return {
    airport,
    plannedMin,
    ...(neededMin === undefined
      ? { neededMin: CONNECTING_MINUTES[kind], kind }
      : { neededMin, kind: 'requested' }),
    laterFlights: scheduledLater(after.flight, departure.minute) ?? hours,
    ...(hours[0] && { nextHour: hours[0].hour }),
  };
}

function badLegs(message: string): RequestError {
  return new RequestError(400, 'invalid_parameter', message, { param: 'legs' });
}

/**
 * Minimum number of flights per day. It applies to a flight number, and to all flights in an hour. Rarer flights are
 * not offered as later flights.
 */
const MIN_DAILY_FLIGHTS = 0.5;

/** A schedule counts the flights of a number during its last two weeks. */
const SCHEDULE_DAYS = 14;

/**
 * Largest difference between the booked departure and the usual departure of the same flight in the schedule. The
 * schedule may be of an earlier season.
 */
const MAX_SHIFT_MIN = 30;

/**
 * Lists later flights from the schedule of the airline on the ticket. Returns undefined if there is no schedule. Leaves
 * out the booked flight, even if the schedule has a later time for it.
 */
function scheduledLater(
  { query, store, number }: KnownFlight,
  depMinute: number,
): LaterFlight[] | undefined {
  const airline = number?.flightNumber.slice(0, 2) ?? query.carrier;
  const flights = store.flightNumbers
    .onRoute(airline, query.origin, query.dest)
    .flatMap(({ depTime, number: ownNumber, flightCount }) =>
      depTime === undefined
        ? []
        : {
            scheduled: { depTime, flightNumber: `${airline}${ownNumber}` },
            laterMin: minuteOf(depTime) - depMinute,
            isFrequent: flightCount / SCHEDULE_DAYS >= MIN_DAILY_FLIGHTS,
          },
    );
  if (!flights.some(({ isFrequent }) => isFrequent)) return undefined;
  const [nearest] = flights
    .filter(({ laterMin }) => Math.abs(laterMin) <= MAX_SHIFT_MIN)
    .toSorted((a, b) => Math.abs(a.laterMin) - Math.abs(b.laterMin));
  const booked = number?.flightNumber ?? nearest?.scheduled.flightNumber;
  return flights
    .filter(
      ({ scheduled, laterMin, isFrequent }) =>
        isFrequent && laterMin > 0 && scheduled.flightNumber !== booked,
    )
    .map(({ scheduled, laterMin }) => ({
      ...{ hour: hourOfTime(scheduled.depTime), laterMin, scheduled },
    }))
    .toSorted((a, b) => a.laterMin - b.laterMin);
}

/** Lists later hours in which the airline departs on most days. The assumed departure is half past the hour. */
function laterHours({ query, store }: KnownFlight, depMinute: number): LaterFlight[] {
  const { crsDepHour = 24 } = query;
  return dailyFlights(query, store).flatMap((perDay, hour) =>
    hour > crsDepHour && perDay >= MIN_DAILY_FLIGHTS
      ? [{ hour, laterMin: 60 * hour + 30 - depMinute }]
      : [],
  );
}
