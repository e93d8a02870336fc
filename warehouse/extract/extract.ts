import { rm } from 'node:fs/promises';
import { DAY_MS, dateAt } from '../ground/dates.ts';
import type { ExtractDeps } from '../../pipelines/flights/ingest.ts';
import { openDatabase } from '../connect.ts';
import { flightsHeld, heldManifest } from './flights-held.ts';
import { inspect } from './inspect.ts';
import { spillPath } from './spill.ts';
import { stageRows } from './stage.ts';
import { writeMonth, writeQuarantine } from './write.ts';
import { isIntact, readManifests, soundManifest } from '../lake/lake.ts';
import { levelManifests, soundLevelManifest } from '../lake/level-lake.ts';

export type ExtractOptions = {
  lakeDir: string;
  /** Names the code that reads files: months of another version are extracted again. */
  codeVersion: string;
  now?: () => Date;
};

const MEMORY_LIMIT = '900MB';

/** What `extractFile` needs to turn flight files into months of this lake. */
export function createExtractDeps(options: ExtractOptions): ExtractDeps {
  const { lakeDir, codeVersion, now = () => new Date() } = options;
  const spill = () => spillPath(lakeDir, now);
  return {
    inspect: (filePath) => inspect(filePath, spill),
    extracted: async (sourceSha256, tree = 'flights') => {
      const manifests =
        tree === 'levels'
          ? await levelManifests(lakeDir, soundLevelManifest)
          : await readManifests(lakeDir, soundManifest);
      const same = manifests.filter(
        (manifest) =>
          manifest.source.sha256 === sourceSha256 && manifest.codeVersion === codeVersion,
      );
      const intact = await Promise.all(same.map((manifest) => isIntact(lakeDir, manifest, tree)));
      return same.filter((_, i) => intact[i]);
    },
    stage: async (file, form, year) => {
      const tempDir = await spill();
      const db = await openDatabase({ memoryLimit: MEMORY_LIMIT, tempDir });
      const close = async () => {
        db.close();
        await rm(tempDir, { recursive: true, force: true });
      };
      try {
        const staged = await stageRows(db, file, form, { year, lastDay: lastDayAt(now()) });
        const shared = { db, lakeDir, codeVersion, now, form, sourceRows: file.rowCount };
        return {
          ...staged,
          flightsHeld: (month) => flightsHeld(db, lakeDir, month, form),
          sourceHeld: async (month) => (await heldManifest(lakeDir, month, form))?.source.sha256,
          writeMonth: (month, source) => writeMonth({ ...shared, source }, month),
          quarantine: (month, source) => writeQuarantine({ ...shared, source }, month),
          close,
        };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

/** Beyond the date line it is tomorrow already. */
function lastDayAt(now: Date): string {
  return dateAt(now.getTime() + DAY_MS);
}
