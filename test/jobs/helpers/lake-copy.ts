import { readFile } from 'node:fs/promises';
import { openDatabase } from '../../../warehouse/connect.ts';
import { filesOf, lakeFilePath, readManifests } from '../../../warehouse/lake/lake.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';

/** Lists the files of the lake with the hash of their bytes, without manifests, which contain times. */
export async function lakeFiles(dataDir: string): Promise<string[]> {
  const { lakeDir } = dataPaths(dataDir);
  const lines: string[] = [];
  for (const manifest of await readManifests(lakeDir)) {
    for (const file of filesOf(manifest)) {
      const content = await readFile(lakeFilePath(lakeDir, manifest.month, file));
      lines.push(`${manifest.month} ${file.name} ${sha256(content)}`);
    }
  }
  return lines;
}

/**
 * Returns the row count of each table that a load fills, and a hash of its rows that does not depend on their order.
 */
export async function loadedTables(dataDir: string): Promise<Record<string, unknown>[]> {
  const db = await openDatabase({ threads: 1 });
  try {
    await db.run(`attach '${dataPaths(dataDir).warehouseFile}' as loaded (read_only)`);
    return await db.rows(
      `select 'route_hours' as name, count(*) as rows, bit_xor(hash(r))::varchar as hash
       from loaded.raw.route_hours as r
       union all
       select 'airport_days', count(*), bit_xor(hash(a))::varchar from loaded.raw.airport_days as a
       union all
       select 'airport_hours', count(*), bit_xor(hash(h))::varchar from loaded.raw.airport_hours as h
       union all
       select 'lake_months', count(*), bit_xor(hash(m))::varchar
       from (select month, source_sha256, rows_loaded from loaded.raw.lake_months) as m`,
    );
  } finally {
    db.close();
  }
}
