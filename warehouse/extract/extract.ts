import { rm } from 'node:fs/promises';
import { DAY_MS, dateAt } from '../ground/dates.ts';
import type { ExtractDeps } from '../../pipelines/flights/ingest.ts';
import { openDatabase } from '../connect.ts';
import { compareMonth } from './replacement.ts';
import { inspect } from './inspect.ts';
import { spillPath } from './spill.ts';
import { stageRows } from './stage.ts';
import { writeMonth, writeQuarantine } from './write.ts';
import { isIntact, readManifests, soundManifest } from '../lake/lake.ts';
import { levelManifests, soundLevelManifest } from '../lake/level-lake.ts';
import { currentManifest, KEEP_VERSIONS } from '../lake/place-month.ts';
import type { MonthRef } from '../lake/versions.ts';
import { checksumBeside } from './checksum.ts';
import { treeOf } from './tree.ts';

export type ExtractOptions = {
  lakeDir: string;
  /** Names the code that reads files: months of another version are extracted again. */
  codeVersion: string;
  now?: () => Date;
  /** Versions kept of a month that is replaced. */
  keepVersions?: number;
  /** Does the work while nobody else, on any machine that shares the lake, replaces the month. */
  alone?: MonthLock;
};

/** Does the work while nobody else replaces the month. */
export type MonthLock = <T>(ref: MonthRef, work: () => Promise<T>) => Promise<T>;

const MEMORY_LIMIT = '900MB';

/** What `extractFile` needs to turn flight files into months of this lake. */
export function createExtractDeps(options: ExtractOptions): ExtractDeps {
  const { lakeDir, codeVersion, now = () => new Date() } = options;
  const { keepVersions = KEEP_VERSIONS, alone = (_ref, work) => work() } = options;
  const spill = () => spillPath(lakeDir, now);
  return {
    inspect: (filePath) => inspect(filePath, spill),
    checksumBeside,
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
        const tree = treeOf(form);
        const place = { lakeDir, keepVersions, now };
        const shared = { ...place, db, codeVersion, form, sourceRows: file.rowCount };
        return {
          ...staged,
          compare: (month, source) => compareMonth(db, lakeDir, form, month, source),
          sourceHeld: async (month) =>
            (await currentManifest(lakeDir, { month, tree }))?.source.sha256,
          alone: (month, work) => alone({ month, tree }, work),
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
