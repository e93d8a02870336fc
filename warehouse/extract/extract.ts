import { rm } from 'node:fs/promises';
import { DAY_MS, dateAt } from '../ground/dates.ts';
import type { ExtractDeps } from '../../pipelines/flights/extract-deps.ts';
import type { FlightForm } from '../../pipelines/flights/form.ts';
import type { StagedMonth } from '../../pipelines/flights/types.ts';
import { openDatabase, type Database } from '../connect.ts';
import { sum } from '../ground/sum.ts';
import { compareMonth } from './replacement.ts';
import { inspect } from './inspect.ts';
import { spillPath } from './spill.ts';
import { stagePartRows, stageRows } from './stage.ts';
import { writeMonth, writeQuarantine } from './write.ts';
import {
  isIntact,
  readManifests,
  soundManifest,
  type MonthFiles,
  type SourceRef,
} from '../lake/lake.ts';
import { levelManifests, soundLevelManifest } from '../lake/level-lake.ts';
import { currentManifest, MONTH_VERSIONS_KEPT } from '../lake/place-month.ts';
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
  /** Of months of flights, writes this and the route hours alone: for a lake of which nothing else is read. */
  only?: keyof MonthFiles;
  /** Does the work while nobody else, on any machine that shares the lake, replaces the month. */
  alone?: MonthLock;
  /** Brings the files of months that are kept elsewhere; absent: all are here. */
  fetch?: (refs: MonthRef[]) => Promise<void>;
};

/** Does the work while nobody else replaces the month. */
export type MonthLock = <T>(ref: MonthRef, work: () => Promise<T>) => Promise<T>;

const MEMORY_LIMIT = '900MB';

/** What `extractFile` needs to turn flight files into months of this lake. */
export function createExtractDeps(options: ExtractOptions): ExtractDeps {
  const { lakeDir, codeVersion, only, now = () => new Date() } = options;
  const { keepVersions = MONTH_VERSIONS_KEPT, alone = (_ref, work) => work(), fetch } = options;
  const spill = () => spillPath(lakeDir, now);
  /** What was read into a database of its own, ready to be written by month. */
  const staged = async <Read extends object>(
    form: FlightForm,
    sourceRows: number,
    read: (db: Database) => Promise<Read>,
  ) => {
    const tempDir = await spill();
    const db = await openDatabase({ memoryLimit: MEMORY_LIMIT, tempDir });
    const close = async () => {
      db.close();
      await rm(tempDir, { recursive: true, force: true });
    };
    try {
      const found = await read(db);
      const tree = treeOf(form);
      const place = { lakeDir, keepVersions, now };
      const shared = { ...place, db, codeVersion, form, sourceRows, ...(only && { only }) };
      return {
        ...found,
        compare: (month: StagedMonth, source: SourceRef) =>
          compareMonth(db, lakeDir, form, month, source),
        sourceHeld: async (month: string) =>
          (await currentManifest(lakeDir, { month, tree }))?.source.sha256,
        alone: <T>(month: string, work: () => Promise<T>) => alone({ month, tree }, work),
        writeMonth: (month: StagedMonth, source: SourceRef) =>
          writeMonth({ ...shared, source }, month),
        quarantine: (month: string | undefined, source: SourceRef) =>
          writeQuarantine({ ...shared, source }, month),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  };
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
      await fetch?.(same.map(({ month }) => ({ month, tree })));
      const intact = await Promise.all(same.map((manifest) => isIntact(lakeDir, manifest, tree)));
      return same.filter((_, i) => intact[i]);
    },
    stage: (file, form, year) =>
      staged(form, file.rowCount, (db) =>
        stageRows(db, file, form, { year, lastDay: lastDayAt(now()) }),
      ),
    stageParts: async (parts) => {
      const [first] = parts;
      if (!first) throw new TypeError('no parts');
      const rowCount = sum(parts.map(({ file }) => file.rowCount));
      return staged(first.form, rowCount, (db) => stagePartRows(db, parts, lastDayAt(now())));
    },
  };
}

/** Beyond the date line it is tomorrow already. */
function lastDayAt(now: Date): string {
  return dateAt(now.getTime() + DAY_MS);
}
