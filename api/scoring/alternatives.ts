import { isCurrentService, soldAirlines, type SoldAirline } from '../../models/sold-airlines.ts';
import { buildInterval } from '../../models/outlook.ts';
import type { Assessment, FlightQuery } from '../../models/types.ts';
import { addDays } from '../../warehouse/ground/dates.ts';
import { hourToTime, HOURS } from '../../warehouse/ground/hours.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { airportsOfCity, pairsOf } from './city-pairs.ts';
import { isBrandOn, type DateRange } from './flight-query.ts';
import { hourShare } from './flown-hours.ts';

/** The kinds of change from a flight to an alternative. */
export const CHANGES = ['hour', 'airline', 'day', 'airports'] as const;

export type Change = (typeof CHANGES)[number];

/** A flight that the traveller could take instead. */
export type Candidate = {
  change: Change;
  query: FlightQuery;
  /** Local departure time, `HH:MM`. If absent, the candidate stands for all flights of the airline on this day. */
  depTime?: string;
};

/** The flight that the traveller wants to take. */
export type OwnFlight = { query: FlightQuery; depTime?: string };

/** A candidate with a clearly lower score. */
export type Alternative = Candidate & {
  assessment: Assessment;
  /** Number of points by which the score is lower. */
  saved: number;
};

/** Minimum gain in points. A smaller gain is not worth a change of plans, and may be due to rounding or chance. */
const MIN_GAIN_POINTS = 3;
/** Alternatives may be up to this many days earlier or later. */
export const NEAR_DAYS = 3;
/** Minimum number of flights in the record. Airlines with fewer flights are not recommended. */
const MIN_RECORD_FLIGHTS = 100;
/** Minimum share of the airline's flights in an hour. With a smaller share, flights in this hour are rarely on sale. */
const MIN_HOUR_SHARE = 0.01;

/**
 * Lists candidates: the same flight at other hours, with other airlines, on nearby days, or between other airports of
 * the same cities. Each candidate makes only one change. Airlines that have left the route are left out.
 */
export function listCandidates(
  flight: OwnFlight,
  dates: DateRange,
  store: ScoreStore,
): Candidate[] {
  const { origin, dest } = flight.query;
  const airlines = bookableAirlines(origin, dest, store);
  return [
    ...otherHours(flight, store),
    ...otherAirlines(flight, airlines, store),
    ...otherDays(flight, dates),
    ...otherAirports(flight, store),
  ];
}

/**
 * Returns the candidates with a clearly lower score, largest gain first. A score is clearly lower if it is below the
 * whole interval of the flight's own score. Without a record of the route, no score is clearly lower.
 */
export function chooseAlternatives(
  own: Assessment,
  candidates: readonly (Candidate & { assessment: Assessment })[],
  store: ScoreStore,
): Alternative[] {
  const interval = buildInterval(own, store.network.priorFlights);
  if (interval === undefined) return [];
  const highest = Math.min(own.score - MIN_GAIN_POINTS, interval.score[0] - 1);
  return candidates
    .filter(({ assessment }) => assessment.score <= highest)
    .map((candidate) => ({ ...candidate, saved: own.score - candidate.assessment.score }))
    .toSorted((a, b) => b.saved - a.saved || b.assessment.confidence - a.assessment.confidence);
}

function otherHours({ query }: OwnFlight, store: ScoreStore): Candidate[] {
  if (!isCurrentService(query, store)) return [];
  const isFlownAt = flownHours(query, store);
  return HOURS.filter((hour) => hour !== query.crsDepHour && isFlownAt(hour)).map((hour) => ({
    change: 'hour',
    query: { ...query, crsDepHour: hour },
    depTime: hourToTime(hour),
  }));
}

function otherAirlines(
  flight: OwnFlight,
  airlines: readonly SoldAirline[],
  store: ScoreStore,
): Candidate[] {
  return airlines
    .filter(({ carrier, brand }) => {
      // If the query names an operator, leaves out brands that sell this operator's flights. Such a brand may sell the
      // same flight.
      const own = flight.query.carrier;
      return carrier !== own && !brand?.operators.some((operator) => operator.carrier === own);
    })
    .filter(hasEnoughFlights)
    .map(({ carrier }) => ({ change: 'airline', ...atSameHour(flight, { carrier }, store) }));
}

function otherDays({ query, depTime }: OwnFlight, { first, last }: DateRange): Candidate[] {
  const steps = Array.from({ length: NEAR_DAYS }, (_, at) => at + 1);
  return steps
    .flatMap((days) => [addDays(query.flightDate, -days), addDays(query.flightDate, days)])
    .filter((date) => date >= first && date <= last)
    .map((flightDate) => ({
      change: 'day',
      query: { ...query, flightDate },
      ...(depTime !== undefined && { depTime }),
    }));
}

/**
 * Returns up to two candidates for each other pair of airports. The first candidate is a flight of the same airline, if
 * this airline flies between these airports. The second candidate is a flight of the airline with the most flights
 * there.
 */
function otherAirports(flight: OwnFlight, store: ScoreStore): Candidate[] {
  const { query } = flight;
  const [origins, dests] = [airportsOfCity(query.origin, store), airportsOfCity(query.dest, store)];
  return pairsOf(origins, dests)
    .filter(({ origin, dest }) => origin !== query.origin || dest !== query.dest)
    .flatMap((pair) => {
      const airlines = bookableAirlines(pair.origin, pair.dest, store).filter(hasEnoughFlights);
      const own = airlines.find(({ carrier }) => carrier === query.carrier);
      const [busiest] = airlines.toSorted((a, b) => b.flightCount - a.flightCount);
      const carriers = new Set([own, busiest].flatMap((one) => one?.carrier ?? []));
      return [...carriers].map((carrier) => ({
        change: 'airports' as const,
        ...atSameHour(flight, { ...pair, carrier }, store),
      }));
    });
}

/**
 * Applies the change to the flight. The hour is removed if the changed airline or route has no regular flights in that
 * hour.
 */
function atSameHour(
  { query }: OwnFlight,
  change: Partial<FlightQuery>,
  store: ScoreStore,
): OwnFlight {
  const changed = { ...query, ...change };
  const sold = { ...changed, isBrand: isBrandOn(changed, store) };
  const { crsDepHour } = sold;
  if (crsDepHour === undefined || !flownHours(sold, store)(crsDepHour)) {
    return { query: { ...sold, crsDepHour: undefined } };
  }
  return { query: sold, depTime: hourToTime(crsDepHour) };
}

/**
 * Returns a function that checks whether the airline regularly departs in an hour. If the departure hours are unknown,
 * the function always returns false.
 */
function flownHours(query: FlightQuery, store: ScoreStore): (hour: number) => boolean {
  const shareOf = hourShare(query, store);
  return (hour) => (shareOf?.(hour) ?? 0) >= MIN_HOUR_SHARE;
}

function bookableAirlines(origin: string, dest: string, store: ScoreStore): SoldAirline[] {
  return soldAirlines(origin, dest, store).filter(({ isCurrent }) => isCurrent);
}

function hasEnoughFlights({ flightCount }: SoldAirline): boolean {
  return flightCount >= MIN_RECORD_FLIGHTS;
}
