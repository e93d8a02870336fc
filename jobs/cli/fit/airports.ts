import { stat } from 'node:fs/promises';
import { AIRPORT_TABLE, writeAirportTable } from '../../../warehouse/reference/airport-table.ts';

/** Writes the airport table that ships with the code, and prints its size. */
export async function writeAirports(): Promise<void> {
  const rows = await writeAirportTable(AIRPORT_TABLE);
  const { size } = await stat(AIRPORT_TABLE);
  console.log(`${rows} airports, ${size} bytes`);
}
