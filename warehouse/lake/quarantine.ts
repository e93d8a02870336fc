import path from 'node:path';
import { listNames, statIfExists } from '../ground/files.ts';
import { openDatabase } from '../connect.ts';
import { monthDir, verifiedLakeFile, type MonthManifest } from './lake.ts';

/** A rejected row. */
export type Reject = { line: number; column: string; value: string; reason: string };

/**
 * Returns the quarantine file of a month (`YYYY-MM`); undefined if no row was rejected. If the newest refused source is
 * newer than the current version, returns the file of that source. Otherwise returns the file of the current version.
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
      // The file may have been removed in the meantime. Time 0 excludes a removed file from the choice.
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

/** Reads the first `perReason` rejected rows of each reason, the most frequent reason first. */
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
