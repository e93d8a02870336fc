/** A line of BTS's delay-cause table: DL at ATL in February 2025, 200 flights, 40 of them late. */
export function aCause(changes: Record<string, string> = {}): Record<string, string> {
  return {
    year: '2025',
    month: '2',
    carrier: 'DL',
    airport: 'ATL',
    arr_flights: '200.00',
    arr_del15: '40.00',
    carrier_ct: '20.50',
    weather_ct: '1.50',
    nas_ct: '8.00',
    security_ct: '0.00',
    late_aircraft_ct: '10.00',
    arr_cancelled: '4.00',
    arr_diverted: '1.00',
    arr_delay: '2400.00',
    carrier_delay: '1200.00',
    weather_delay: '100.00',
    nas_delay: '500.00',
    security_delay: '0.00',
    late_aircraft_delay: '600.00',
    ...changes,
  };
}

/** The empty columns of a row whose airline has no flights at the airport in the month. */
export const EMPTY_FIGURES = Object.fromEntries(
  Object.keys(aCause())
    .slice(4)
    .map((column) => [column, '']),
);
