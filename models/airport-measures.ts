import type { NasProgram } from '../warehouse/live/nas.ts';

/** A measure of air traffic control at an airport, as far as the risk of a flight goes. */
export type AirportMeasure = Pick<NasProgram, 'airport' | 'kind' | 'severity'>;

type Ends = { origin: string; dest: string };

/** A ground stop or delay holds flights to its airport; those from it wait for aircraft that come late. */
const KNOCK_ON_SHARE = 0.5;

/** Share of a measure that is the flight's: at its origin, and at its destination. */
const SHARES: Record<AirportMeasure['kind'], { origin: number; dest: number }> = {
  stop: { origin: KNOCK_ON_SHARE, dest: 1 },
  delay: { origin: KNOCK_ON_SHARE, dest: 1 },
  closure: { origin: 1, dest: 1 },
  departures: { origin: 1, dest: 0 },
  arrivals: { origin: 0, dest: 1 },
};

/** Share of a measure that is the flight's, 0 to 1: the larger of what it is at its two ends. */
export function measureShare(
  { airport, kind }: Pick<AirportMeasure, 'airport' | 'kind'>,
  { origin, dest }: Ends,
): number {
  const atOrigin = airport === origin ? SHARES[kind].origin : 0;
  return Math.max(atOrigin, airport === dest ? SHARES[kind].dest : 0);
}
