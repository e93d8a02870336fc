import { statsOf } from '../../models/brands.ts';
import type { Alternative } from '../scoring/alternatives.ts';
import type { Assessment, FlightQuery } from '../../models/types.ts';
import { round } from '../../warehouse/ground/numbers.ts';
import { cityOfAirport } from '../../warehouse/reference/cities.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { AlternativesBody, CityBody } from '../schemas/alternatives.ts';
import type { KnownFlight } from '../scoring/flight-query.ts';
import { airportsOfCity } from '../scoring/city-pairs.ts';
import { inferredBrandOf } from './operators-body.ts';
import { intervalBodyOf } from './outlook-body.ts';
import { numberFieldsOf } from './score-body.ts';

type ScoredFlight = { query: FlightQuery; depTime?: string; assessment: Assessment };

/**
 * A flight, and all flights with a clearly lower score, largest gain first. The body lists only the first `limit` of
 * these flights.
 */
export type FoundAlternatives = {
  flight: ScoredFlight & Pick<KnownFlight, 'number'>;
  considered: number;
  better: readonly Alternative[];
  limit: number;
  store: ScoreStore;
};

/** Builds the body of `/api/alternatives` with the first `limit` alternatives. */
export function alternativesBodyOf({
  flight,
  considered,
  better,
  limit,
  store,
}: FoundAlternatives): AlternativesBody {
  const { origin, dest } = flight.query;
  return {
    flight: {
      ...flightOf(flight, store),
      ...numberFieldsOf(flight),
      interval: intervalBodyOf(flight.assessment, store),
    },
    origin_city: cityBodyOf(origin, store),
    dest_city: cityBodyOf(dest, store),
    considered,
    better: better.length,
    alternatives: better.slice(0, limit).map((one) => ({
      change: one.change,
      saved: one.saved,
      ...flightOf(one, store),
      total_flights: flightsOf(one.query, store),
    })),
  };
}

function flightOf({ query, depTime, assessment }: ScoredFlight, store: ScoreStore) {
  const { mlProbability } = assessment;
  return {
    origin: query.origin,
    destination: query.dest,
    airline: query.carrier,
    airline_name: store.airline(query.carrier)?.name ?? query.carrier,
    flight_date: query.flightDate,
    dep_time: depTime ?? null,
    score: assessment.score,
    label: assessment.label,
    ml_probability: mlProbability === undefined ? null : round(100 * mlProbability, 2),
    brand: inferredBrandOf(query, store),
  };
}

function cityBodyOf(airport: string, store: ScoreStore): CityBody | null {
  const city = cityOfAirport(airport);
  if (!city) return null;
  const airports = airportsOfCity(airport, store).toSorted(
    (a, b) => city.airports.indexOf(a) - city.airports.indexOf(b),
  );
  return { code: city.code, name: city.name, airports };
}

function flightsOf(query: FlightQuery, store: ScoreStore): number {
  return statsOf(query, store)?.flightCount ?? 0;
}
