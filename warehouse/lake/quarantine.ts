import path from 'node:path';
import { namesIn, statIfThere } from '../ground/files.ts';
import { openDatabase } from '../connect.ts';
import { monthDir, verifiedLakeFile, type MonthManifest } from './lake.ts';

/** A rejected row. */
export type Reject = { line: number; column: string; value: string; reason: string };

/**
 * The quarantine of a month (`YYYY-MM`): that of a refused file when there is a newer one, else that of the month
 * as it is; undefined when no row was rejected.
 */
export async function quarantineFile(
  lakeDir: string,
  month: string,
  manifest: MonthManifest | undefined,
): Promise<string | undefined> {
  const folder = monthDir(lakeDir, month);
  const own = manifest?.files.rejects?.name;
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.rejects.parquet'));
  const since = manifest ? Date.parse(manifest.extractedAt) : 0;
  const times = await Promise.all(
    names.map(async (name) => ({
      name,
      // Tidying may remove it meanwhile: it is of no time then.
      at: (await statIfThere(path.join(folder, name)))?.mtimeMs ?? 0,
    })),
  );
  const refused = times
    .filter(({ name, at }) => name !== own && at > since)
    .toSorted((a, b) => b.at - a.at)[0]?.name;
  if (refused !== undefined) return path.join(folder, refused);
  const rejects = manifest?.files.rejects;
  return rejects && verifiedLakeFile(lakeDir, month, rejects);
}

/** The first few rejected rows of each reason, the most frequent reason first. */
export async function sampleRejects(file: string, perReason: number): Promise<Reject[]> {
  const db = await openDatabase({ threads: 1 });
  try {
    return await db.rows<Reject>(SAMPLE, { file, perReason });
  } finally {
    db.close();
  }
}

const SAMPLE = `
  select line, "column", "value"::varchar as "value", reason
  from read_parquet($file, hive_partitioning = false)
  qualify row_number() over (partition by reason order by line) <= $perReason
  order by count(*) over (partition by reason) desc, reason, line`;
