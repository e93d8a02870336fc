import type { Database } from '../connect.ts';
import { lakeFilePath, soundManifest } from '../lake/lake.ts';
import { fileSha256 } from '../sha256.ts';

/**
 * Scheduled flights the lake holds of a month, whatever form they came in; undefined when it holds none, or none that
 * can be trusted: there is nothing to defend then, and a new source heals it.
 */
export async function flightsHeld(
  db: Database,
  lakeDir: string,
  month: string,
): Promise<number | undefined> {
  const manifest = await soundManifest(lakeDir, month);
  if (!manifest) return undefined;
  const { routeHours } = manifest.files;
  const file = lakeFilePath(lakeDir, month, routeHours);
  const found = await fileSha256(file).catch(() => undefined);
  if (found !== routeHours.sha256) return undefined;
  const [held] = await db.rows<{ flights: number }>(
    `select coalesce(sum(flight_count), 0)::bigint as flights
     from read_parquet($file, hive_partitioning = false)`,
    { file },
  );
  return held?.flights;
}
