import { stat } from 'node:fs/promises';
import { HOLIDAY_TABLE, writeHolidayTable } from '../../../warehouse/reference/holiday-table.ts';

/** Works out the days off that ship anew, and says what they come to. */
export async function holidays(): Promise<void> {
  const { file, years } = HOLIDAY_TABLE;
  const rows = await writeHolidayTable(file);
  const { size } = await stat(file);
  console.log(`${rows} days off from ${years.from} to ${years.until - 1}, ${size} bytes`);
}
