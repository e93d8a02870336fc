import { DELAY_MINUTES, type DelayCurve } from './delay-curve.ts';
import {
  arrivalDelays,
  delayAt,
  departureDelays,
  SAME_AIRPORT,
  SAME_FLIGHT,
  type DelayTable,
} from './connection-delays.ts';
import { normalQuantile } from './normal.ts';

/** A flight of a trip. */
export type TripLeg = {
  curve: DelayCurve;
  /**
   * Departures of the airline's later flights on the same route and day, in minutes after the booked flight; ascending.
   */
  laterFlights: readonly number[];
};

/** The change from one flight to the next. */
export type TripConnection = {
  /** Scheduled minutes from arrival to departure. */
  plannedMin: number;
  /** Minutes that a passenger needs. */
  neededMin: number;
};

export type TripForecast = {
  /** For each flight, the probability that the trip breaks because this flight is cancelled or diverted. */
  lost: number[];
  /** For each connection, the probability that it is missed because the incoming flight arrives too late. */
  missed: number[];
  /**
   * For each t of `DELAY_MINUTES`, the probability of arriving more than t minutes late at the end. Includes later
   * flights after a missed connection.
   */
  late: number[];
  /**
   * Probability that the passenger does not arrive on the day of the trip, either on the booked flights or, after a
   * missed connection, on later flights.
   */
  notArriving: number;
};

/**
 * Correlations of delays as normal scores (see `connection-delays.ts`): departure and arrival of one flight, and two
 * flights at one airport.
 */
export type TripCorrelations = { sameFlight: number; sameAirport: number };

/** The fitted correlations. */
export const CORRELATIONS: TripCorrelations = {
  sameFlight: SAME_FLIGHT,
  sameAirport: SAME_AIRPORT,
};

/** Number of simulated trips. With 100 times as many trips, the probabilities change by less than 0.003. */
const TRIPS = 2_048;
/**
 * Number of flights in the longest trip. The first flight needs one random number, for its arrival. Every other flight
 * needs two numbers, for its departure and its arrival.
 */
export const MAX_LEGS = 4;
const DIMENSIONS = 2 * MAX_LEGS - 1;

/**
 * Forecasts a trip by simulation. The random numbers are fixed, so that the same trip always gets the same forecast. A
 * passenger who reaches the gate after the actual departure misses the connection. The actual departure may be late,
 * too. After a missed connection, the passenger takes the first later flight that can still be reached. The delays of
 * both flights at an airport are correlated, because a bad day delays both.
 */
export function forecastTrip(
  legs: readonly TripLeg[],
  connections: readonly TripConnection[],
  correlations: TripCorrelations = CORRELATIONS,
): TripForecast {
  const tables = legs.map(({ curve }, at) => ({
    arrival: arrivalDelays(curve),
    departure: at === 0 ? undefined : departureDelays(curve),
  }));
  const counts = {
    lost: legs.map(() => 0),
    missed: connections.map(() => 0),
    late: DELAY_MINUTES.map(() => 0),
    notArriving: 0,
  };
  const scores = randomScores();
  for (let trip = 0; trip < TRIPS; trip++) {
    const delay = travel(
      { legs, connections, tables, correlations, numbers: scores, from: trip * DIMENSIONS },
      counts,
    );
    if (delay === Infinity) counts.notArriving += 1;
    else {
      for (let at = 0; at < DELAY_MINUTES.length; at++) {
        const minutes = DELAY_MINUTES[at] as number;
        // For 15 minutes, counts delays of 15 minutes or more, as in `DELAY_MINUTES`. For the other limits, counts
        // longer delays.
        if (minutes === 15 ? delay >= minutes : delay > minutes) (counts.late[at] as number)++;
      }
    }
  }
  const share = (count: number) => count / TRIPS;
  return {
    lost: counts.lost.map(share),
    missed: counts.missed.map(share),
    late: counts.late.map(share),
    notArriving: share(counts.notArriving),
  };
}

type Simulation = {
  legs: readonly TripLeg[];
  connections: readonly TripConnection[];
  tables: readonly { arrival: DelayTable; departure: DelayTable | undefined }[];
  correlations: TripCorrelations;
  /**
   * Independent random numbers with a standard normal distribution, for all trips. `from` is the index of this trip's
   * first number.
   */
  numbers: Float64Array;
  from: number;
};

/**
 * Simulates one trip. Adds the first event that breaks the trip to `counts`. Returns the delay at the end; infinite if
 * the passenger does not arrive.
 */
function travel(
  { legs, connections, tables, correlations, numbers, from }: Simulation,
  counts: Pick<TripForecast, 'lost' | 'missed'>,
): number {
  const { sameFlight, sameAirport } = correlations;
  let arrival = numbers[from] as number;
  // Minutes by which the passenger's flight departs later than the booked flight.
  let rebooked = 0;
  let isAsBooked = true;
  for (let at = 0; ; at++) {
    const delay = rebooked + delayAt((tables[at] as Simulation['tables'][number]).arrival, arrival);
    if (delay === Infinity) {
      if (isAsBooked) (counts.lost[at] as number)++;
      return Infinity;
    }
    const connection = connections[at];
    const next = tables[at + 1];
    if (!connection || !next?.departure) return delay;
    const departure = correlated(arrival, sameAirport, numbers[from + 2 * at + 1] as number);
    arrival = correlated(departure, sameFlight, numbers[from + 2 * at + 2] as number);
    // Time at which the passenger is at the gate, in minutes after the scheduled departure.
    const ready = delay + connection.neededMin - connection.plannedMin;
    rebooked = 0;
    if (ready <= delayAt(next.departure, departure)) continue;
    if (isAsBooked) (counts.missed[at] as number)++;
    isAsBooked = false;
    const later = legs[at + 1]?.laterFlights.find((minutes) => minutes >= ready);
    if (later === undefined) return Infinity;
    rebooked = later;
  }
}

/** Returns a normal score that is correlated with `score`. */
function correlated(score: number, correlation: number, independent: number): number {
  return correlation * score + Math.sqrt(1 - correlation * correlation) * independent;
}

let cachedScores: Float64Array | undefined;

/**
 * Returns the normal scores of all trips, evenly spread over all dimensions. They come from a Kronecker sequence with
 * the powers of the root of x^(d+1) = x + 1, which M. Roberts found to leave few gaps.
 */
function randomScores(): Float64Array {
  if (cachedScores) return cachedScores;
  let root = 1.5;
  for (let step = 0; step < 50; step++) root = (1 + root) ** (1 / (DIMENSIONS + 1));
  const scores = new Float64Array(TRIPS * DIMENSIONS);
  for (let at = 0; at < scores.length; at++) {
    const [trip, dimension] = [Math.floor(at / DIMENSIONS), at % DIMENSIONS];
    const share = (0.5 + (trip + 1) * root ** -(dimension + 1)) % 1;
    scores[at] = normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, share)));
  }
  return (cachedScores = scores);
}
