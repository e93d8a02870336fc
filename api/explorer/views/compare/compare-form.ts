import { flightRows, type FlightRow } from '../flight-rows.ts';

/** The form to compare flights. `rows` fills the form. */
export function compareForm(rows: readonly FlightRow[]) {
  return flightRows({ action: '/compare', submit: 'Compare', rows });
}
