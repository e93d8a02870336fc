import type { ExecutionContext } from 'ava';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import { aFile, aFlight, extractToLake, numberFlights, toCsv } from '../../helpers/flight-files.ts';
import { readFolder, writeFolder } from '../../helpers/folders.ts';
import { oncePerRun } from '../../helpers/once-per-run.ts';

/** Flights per month. Two months are enough to tell models apart. */
export const MONTH_FLIGHTS = 10_500;

/**
 * Returns flights JFK-LAX: two thirds of B6's and one sixth of DL's are late. They differ so much from the seed that
 * a model trained on them beats the bundled model.
 */
export function lateFlights(from: string, to: string, monthFlights = MONTH_FLIGHTS): string {
  const flights = monthsBetween(from, to).flatMap((month) =>
    Array.from({ length: monthFlights }, (_, n) => {
      const isB6 = n % 2 === 0;
      const delays = isB6 ? [45, 45, 0] : [45, 0, 0, 0, 0, 0];
      return aFlight({
        FL_DATE: `${month}-${String((n % 28) + 1).padStart(2, '0')}`,
        OP_UNIQUE_CARRIER: isB6 ? 'B6' : 'DL',
        CRS_DEP_TIME: n % 4 < 2 ? '0800' : '1800',
        ARR_DELAY: String(delays[Math.floor(n / 4) % delays.length]),
      });
    }),
  );
  return toCsv(numberFlights(flights));
}

/** Fills a lake with these flights. The flights are extracted once per run of the tests and then copied. */
export async function fillLake(
  t: ExecutionContext,
  lakeDir: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const lake = await oncePerRun(`lake of late flights ${from} ${to}`, async () => {
    const { lakeDir } = await extractToLake(t, await aFile(t, lateFlights(from, to)));
    return readFolder(lakeDir);
  });
  await writeFolder(lakeDir, lake);
}
