import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import { aFlight, toCsv } from '../../helpers/flight-files.ts';

/** Returns a month of flights in BTS's short form; `seed` changes the delays. */
export function monthCsv(month: string, flights = 200, seed = 0): string {
  const routes = [
    ['JFK', 'LAX'],
    ['LAX', 'JFK'],
    ['SEA', 'ORD'],
  ] as const;
  const rows = Array.from({ length: flights }, (_, n) => {
    const [ORIGIN, DEST] = routes[n % 3]!;
    const day = String((n % 28) + 1).padStart(2, '0');
    const hour = String(6 + (n % 16)).padStart(2, '0');
    const delay = `${((n * 7 + seed) % 60) - 10}.00`;
    const time = { CRS_DEP_TIME: `${hour}00`, ARR_DELAY: delay };
    return aFlight({ FL_DATE: `${month}-${day}`, ORIGIN, DEST, ...time });
  });
  return toCsv(rows);
}

/** Writes `flights-2025-01.csv` and so on into the folder. */
export async function writeMonths(
  folder: string,
  from: string,
  to: string,
  flights?: number,
): Promise<void> {
  for (const month of monthsBetween(from, to)) {
    await writeFile(join(folder, `flights-${month}.csv`), monthCsv(month, flights));
  }
}
