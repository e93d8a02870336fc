import { stat } from 'node:fs/promises';
import { AIRPORT_TABLE, writeAirportTable } from '../../../warehouse/reference/airport-table.ts';

/** Writes the airports that ship anew, and says what they come to. */
export async function airports(): Promise<void> {
  const rows = await writeAirportTable(AIRPORT_TABLE);
  const { size } = await stat(AIRPORT_TABLE);
  console.log(`${rows} airports, ${size} bytes`);
}
