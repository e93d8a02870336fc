/** A measure of air traffic control at an airport, as far as the risk of a flight goes. */
export type AirportMeasure = {
  airport: string;
  kind: 'stop' | 'delay' | 'closure' | 'departures' | 'arrivals';
  /** 0 to 1. */
  severity: number;
};

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

/** Risk of a flight departing now from the measures in force, 0 to 1; together as events are. Pure. */
export function nasRisk({ origin, dest }: Ends, measures: readonly AirportMeasure[]): number {
  let calm = 1;
  for (const { airport, kind, severity } of measures) {
    if (airport === origin) calm *= 1 - severity * SHARES[kind].origin;
    if (airport === dest) calm *= 1 - severity * SHARES[kind].dest;
  }
  return 1 - calm;
}
