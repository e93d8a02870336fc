import { flightRows, type FlightRow } from '../flight-rows.ts';

/** The form with these flights in its rows. */
export function compareForm(rows: readonly FlightRow[]) {
  return flightRows({ action: '/compare', submit: 'Compare', rows });
}
