import type { NasProgram } from '../warehouse/live/nas.ts';

/**
 * An air traffic control measure, with only the fields from which the effect of the measure on a flight is computed.
 */
export type AirportMeasure = Pick<NasProgram, 'airport' | 'kind' | 'severity'>;

type Ends = { origin: string; dest: string };

/**
 * A ground stop or ground delay keeps flights to the airport on the ground. The aircraft of these flights are then late
 * for their next flights, which depart from the airport. This value is the share of the measure that applies to these
 * departures.
 */
const KNOCK_ON_SHARE = 0.5;

/** Share of a measure that applies to a flight from the airport of the measure, and to a flight to that airport. */
const SHARES: Record<AirportMeasure['kind'], { origin: number; dest: number }> = {
  stop: { origin: KNOCK_ON_SHARE, dest: 1 },
  delay: { origin: KNOCK_ON_SHARE, dest: 1 },
  closure: { origin: 1, dest: 1 },
  departures: { origin: 1, dest: 0 },
  arrivals: { origin: 0, dest: 1 },
};

/**
 * Returns the share of a measure that applies to the flight, 0 to 1: the larger of the shares for the flight's two
 * airports.
 */
export function measureShare(
  { airport, kind }: Pick<AirportMeasure, 'airport' | 'kind'>,
  { origin, dest }: Ends,
): number {
  const atOrigin = airport === origin ? SHARES[kind].origin : 0;
  return Math.max(atOrigin, airport === dest ? SHARES[kind].dest : 0);
}
