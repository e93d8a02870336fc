import path from 'node:path';
import { listNames, statIfExists } from '../ground/files.ts';
import { openDatabase } from '../connect.ts';
import { monthDir, verifiedLakeFile, type MonthManifest } from './lake.ts';

/** A rejected row. */
export type Reject = { line: number; column: string; value: string; reason: string };

/**
 * Returns the file with the rejected rows of a month (`YYYY-MM`). If a source was refused after the current version was
 * written, returns the file of the newest refused source. Otherwise returns the file of the current version; undefined
 * if no row was rejected.
 */
export async function quarantineFile(
  lakeDir: string,
  month: string,
  manifest: MonthManifest | undefined,
): Promise<string | undefined> {
  const folder = monthDir(lakeDir, month);
  const currentName = manifest?.files.rejects?.name;
  const names = (await listNames(folder)).filter((name) => name.endsWith('.rejects.parquet'));
  const since = manifest ? Date.parse(manifest.extractedAt) : 0;
  const times = await Promise.all(
    names.map(async (name) => ({
      name,
      // The file may have been removed after the listing. The time 0 prevents it from being chosen.
      at: (await statIfExists(path.join(folder, name)))?.mtimeMs ?? 0,
    })),
  );
  const refused = times
    .filter(({ name, at }) => name !== currentName && at > since)
    .toSorted((a, b) => b.at - a.at)[0]?.name;
  if (refused !== undefined) return path.join(folder, refused);
  const rejects = manifest?.files.rejects;
  return rejects && verifiedLakeFile(lakeDir, month, rejects);
}

/** Reads the first `perReason` rejected rows of each reason. The most frequent reason comes first. */
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
