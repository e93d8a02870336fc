import airportData from 'airport-data-js';
import type { Airport } from '../store/types.ts';
import { readAirports } from './airports.ts';

const SIZES = ['large_airport', 'medium_airport', 'small_airport'];

/**
 * Returns the airports with scheduled airline service, larger airports first. Airfields without scheduled service are
 * left out.
 */
export async function readScheduledAirports(): Promise<Airport[]> {
  const rows = await airportData.findAirports({});
  const sizes = new Map(
    rows
      .filter((row) => String(row.scheduled_service).toUpperCase() === 'TRUE')
      .map((row) => [row.iata, SIZES.indexOf(row.type)]),
  );
  const rank = (airport: Airport) => sizes.get(airport.iata) ?? SIZES.length;
  const airports = await readAirports();
  return airports.filter(({ iata }) => sizes.has(iata)).toSorted((a, b) => rank(a) - rank(b));
}
