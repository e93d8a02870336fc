import { DELAY_MINUTES } from '../../models/delay-curve.ts';
import { timeOf } from '../../models/scheduled-time.ts';
import type { TripForecast } from '../../models/trip.ts';
import type { Assessment } from '../../models/types.ts';
import { hourToTime } from '../../warehouse/ground/hours.ts';
import { round, sum } from '../../warehouse/ground/numbers.ts';
import { inferredBrandOf } from './operators-body.ts';
import { numberFieldsOf } from './score-body.ts';
import type { ItineraryBody } from '../schemas/itinerary.ts';
import type { Itinerary, Leg, LegChange } from '../scoring/itinerary.ts';

type Answer = {
  itinerary: Itinerary;
  /** Assessments of the legs, in order. */
  assessments: readonly Assessment[];
  /** Undefined without a model. */
  forecast: TripForecast | undefined;
};

/** Builds the body of `/api/itinerary`. */
export function itineraryBodyOf({ itinerary, assessments, forecast }: Answer): ItineraryBody {
  const { legs, changes } = itinerary;
  return {
    legs: legs.map((leg, at) => legBody(leg, assessments[at] as Assessment, forecast?.lost[at])),
    connections: changes.map((change, at) => connectionBody(change, forecast?.missed[at])),
    outcome: forecast ? outcomeBody(forecast) : null,
    weakest: forecast ? weakestLink(forecast) : null,
  };
}

function legBody(
  { flight, arrival, isArrivalEstimated }: Leg,
  { score, label, mlProbability }: Assessment,
  lost: number | undefined,
): ItineraryBody['legs'][number] {
  const { query, airline, depTime } = flight;
  return {
    origin: query.origin,
    destination: query.dest,
    airline: query.carrier,
    airline_name: airline.name,
    ...numberFieldsOf(flight),
    flight_date: query.flightDate,
    dep_time: depTime,
    arr_date: arrival.date,
    arr_time: timeOf(arrival.minute),
    is_arrival_estimated: isArrivalEstimated,
    score,
    label,
    ml_probability: mlProbability === undefined ? null : round(100 * mlProbability, 2),
    lost: lost === undefined ? null : round(lost, 3),
    brand: inferredBrandOf(query, flight.store),
  };
}

function connectionBody(
  { airport, plannedMin, neededMin, kind, laterFlights, nextHour }: LegChange,
  missed: number | undefined,
): ItineraryBody['connections'][number] {
  const [next] = laterFlights;
  return {
    airport: airport.iata,
    planned_min: plannedMin,
    minimum_min: neededMin,
    minimum_kind: kind,
    missed: missed === undefined ? null : round(missed, 3),
    next_dep_time: nextHour === undefined ? null : hourToTime(nextHour),
    next_flight: next
      ? {
          hour: next.hour,
          dep_time: next.scheduled?.depTime ?? null,
          flight_number: next.scheduled?.flightNumber ?? null,
        }
      : null,
  };
}

function outcomeBody({ lost, missed, late, notArriving }: TripForecast): ItineraryBody['outcome'] {
  const missedConnection = sum(missed);
  return {
    as_booked: round(Math.max(0, 1 - sum(lost) - missedConnection), 3),
    missed_connection: round(missedConnection, 3),
    late: DELAY_MINUTES.map((minutes, at) => ({
      minutes,
      probability: round(late[at] as number, 3),
    })),
    not_arriving: round(notArriving, 3),
  };
}

/**
 * Returns the part of the trip (a flight or a connection) that is most likely to fail. If several parts are equally
 * likely to fail, returns the earliest one.
 */
function weakestLink({ lost, missed }: TripForecast): ItineraryBody['weakest'] {
  const links = [
    ...lost.map((probability, at) => ({ kind: 'leg' as const, position: at + 1, probability })),
    ...missed.map((probability, at) => ({
      ...{ kind: 'connection' as const, position: at + 1, probability },
    })),
  ];
  const weakest = links.reduce((most, one) => (one.probability > most.probability ? one : most));
  return { ...weakest, probability: round(weakest.probability, 3) };
}
