import type { FlightForm } from '../../pipelines/flights/form.ts';
import type { Database } from '../connect.ts';
import { lakeFilePath, soundManifest, type LakeFile, type MonthManifest } from '../lake/lake.ts';
import { soundLevelManifest } from '../lake/level-lake.ts';
import { fileSha256 } from '../ground/sha256.ts';
import { treeOf } from './tree.ts';

/**
 * Scheduled flights the lake holds of a month, in the tree a form belongs to: of flights by the departures they came
 * as, of the delay-cause table by arrivals. Undefined when it holds none, or none that can be trusted: there is nothing
 * to defend then, and a new source heals it.
 */
export async function flightsHeld(
  db: Database,
  lakeDir: string,
  month: string,
  form: Pick<FlightForm, 'kind'>,
): Promise<number | undefined> {
  const tree = treeOf(form);
  const counted =
    tree === 'levels' ? await delayCauses(lakeDir, month) : await routeHours(lakeDir, month);
  if (!counted) return undefined;
  const file = lakeFilePath(lakeDir, month, counted.file, tree);
  const found = await fileSha256(file).catch(() => undefined);
  if (found !== counted.file.sha256) return undefined;
  const [held] = await db.rows<{ flights: number }>(
    `select coalesce(sum(${counted.column}), 0)::bigint as flights
     from read_parquet($file, hive_partitioning = false)`,
    { file },
  );
  return held?.flights;
}

/** The manifest of a month in the tree a form belongs to; undefined when there is none that can be trusted. */
export function heldManifest(
  lakeDir: string,
  month: string,
  form: Pick<FlightForm, 'kind'>,
): Promise<Pick<MonthManifest, 'source'> | undefined> {
  return treeOf(form) === 'levels'
    ? soundLevelManifest(lakeDir, month)
    : soundManifest(lakeDir, month);
}

/** The file of a month, and its column that counts flights. */
type Counted = { file: LakeFile; column: 'flight_count' | 'arr_flights' } | undefined;

async function routeHours(lakeDir: string, month: string): Promise<Counted> {
  const manifest = await soundManifest(lakeDir, month);
  return manifest && { file: manifest.files.routeHours, column: 'flight_count' };
}

async function delayCauses(lakeDir: string, month: string): Promise<Counted> {
  const manifest = await soundLevelManifest(lakeDir, month);
  return manifest && { file: manifest.files.delayCauses, column: 'arr_flights' };
}
