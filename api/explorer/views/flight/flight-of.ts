import type { Flight } from './address.ts';
import type { FlightData } from './flight-data.ts';

/** Returns the flight that the data describe. */
export function flightOf({ score }: { score: Pick<FlightData['score'], 'input'> }): Flight {
  const { origin, destination, airline, flight_date, dep_time } = score.input;
  return { origin, dest: destination, airline, date: flight_date, depTime: dep_time };
}
