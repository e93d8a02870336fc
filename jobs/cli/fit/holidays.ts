import { stat } from 'node:fs/promises';
import { HOLIDAY_TABLE, writeHolidayTable } from '../../../warehouse/reference/holiday-table.ts';

/** Writes the table of days off that ships with the code, and prints its size. */
export async function writeHolidays(): Promise<void> {
  const { file, years } = HOLIDAY_TABLE;
  const rows = await writeHolidayTable(file);
  const { size } = await stat(file);
  console.log(`${rows} days off from ${years.from} to ${years.until - 1}, ${size} bytes`);
}
