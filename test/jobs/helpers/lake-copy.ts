import { readFile } from 'node:fs/promises';
import { openDatabase } from '../../../warehouse/connect.ts';
import { filesOf, lakeFilePath, readManifests } from '../../../warehouse/lake/lake.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { sha256 } from '../../../warehouse/ground/sha256.ts';

/** Every file of the lake with the hash of its bytes, manifests left out: they tell the time. */
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

/** Rows of each table of the warehouse that a load fills, and a hash over them that their order does not change. */
export async function loadedTables(dataDir: string): Promise<Record<string, unknown>[]> {
  const db = await openDatabase({ threads: 1 });
  try {
    await db.run(`attach '${dataPaths(dataDir).warehouseFile}' as held (read_only)`);
    return await db.rows(
      `select 'route_hours' as name, count(*) as rows, bit_xor(hash(r))::varchar as hash
       from held.raw.route_hours as r
       union all
       select 'airport_days', count(*), bit_xor(hash(a))::varchar from held.raw.airport_days as a
       union all
       select 'airport_hours', count(*), bit_xor(hash(h))::varchar from held.raw.airport_hours as h
       union all
       select 'lake_months', count(*), bit_xor(hash(m))::varchar
       from (select month, source_sha256, rows_loaded from held.raw.lake_months) as m`,
    );
  } finally {
    db.close();
  }
}
