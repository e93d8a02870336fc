import { rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CorruptFileError } from '../../errors.ts';
import { addDays } from '../../ground/dates.ts';
import { ensureDir, syncPath, writeSynced } from '../../ground/files.ts';
import { fileSha256 } from '../../ground/hashes.ts';
import { removeLeftovers, withTemporary, writeAtomically } from '../../ground/temporary.ts';
import { sealJson } from '../sealed.ts';
import { undefinedIfCorrupt } from '../lake.ts';
import { isSealedFolderIntact } from '../sealed-folders.ts';
import type { LakeHome } from '../shared/lake-home.ts';
import {
  FORECASTS,
  HEAD,
  linkOf,
  listNights,
  MANIFEST,
  nightUnit,
  readHead,
  readNight,
  REMEDY,
  type ChainHead,
  type Link,
  type NightManifest,
} from './nights.ts';

export type NightRequest = {
  lakeDir: string;
  home: Pick<LakeHome, 'withUnitLock'>;
  /** UTC date, `YYYY-MM-DD`. */
  night: string;
  /**
   * Computes the forecasts of the night and writes them to a Parquet file. Called only if the night has no forecasts
   * yet.
   */
  freeze: (
    file: string,
  ) => Promise<{ rows: number } & Pick<NightManifest, 'frozenAt' | 'storeVersion' | 'codeVersion'>>;
};

export type NightReport = {
  night: string;
  /** False if the night already had forecasts. */
  isNew: boolean;
  forecasts: number;
  /** The last link of the chain, and the number of nights in the chain. */
  head: Link;
  nights: number;
  missedNights: string[];
};

/** The requested night is before the last night of the chain: the clock of this machine is wrong. */
class EarlierNightError extends Error {
  readonly isFinal = true;
  override readonly name = 'EarlierNightError';
}

/** Maximum number of nights without forecasts that a manifest lists. */
const MAX_MISSED = 366;

/**
 * Freezes the forecasts of a night and adds the night to the chain. The night's folder is complete before the head
 * names the night. If the process is killed in between, the next call adds the night. A second call for the same night
 * changes nothing. On a shared lake, the head is changed by compare-and-set, so that two machines cannot add different
 * nights.
 */
export function appendNight({ lakeDir, home, night, freeze }: NightRequest): Promise<NightReport> {
  return home.withUnitLock(HEAD, async () => {
    await removeLeftovers(path.join(lakeDir, FORECASTS));
    const head = await linkLeftNights(lakeDir, await readHead(lakeDir));
    const last = head.nights.at(-1);
    if (last !== undefined && last.night > night) {
      throw new EarlierNightError(
        `cannot add forecasts for ${night}, because those of the later day ${last.night} are already frozen; check the clock`,
      );
    }
    const isNew = last?.night !== night;
    if (isNew) {
      await home.withUnitLock(nightUnit(night), () => writeNight({ lakeDir, night, freeze }, last));
      await linkLeftNights(lakeDir, head);
    }
    return reportOf(lakeDir, night, isNew);
  });
}

async function reportOf(lakeDir: string, night: string, isNew: boolean): Promise<NightReport> {
  const { nights } = await readHead(lakeDir);
  const manifest = await readNight(lakeDir, night);
  const head = nights.at(-1);
  if (!manifest || head?.night !== night) {
    throw new CorruptFileError(path.join(lakeDir, nightUnit(night)), `not linked: ${REMEDY}`);
  }
  const { file, missedNights } = manifest;
  return { night, isNew, forecasts: file.rows, head, nights: nights.length, missedNights };
}

/**
 * Adds complete nights that are not in the head yet. There are such nights if a process was killed before it added
 * them, or if another machine wrote them. A night that does not follow the last night of the head is not added;
 * `verifyNights` reports it. Returns the new head.
 */
async function linkLeftNights(lakeDir: string, before: ChainHead): Promise<ChainHead> {
  let head = before;
  for (const night of await listNights(lakeDir)) {
    const last = head.nights.at(-1);
    if (last !== undefined && night <= last.night) continue;
    const manifest = await undefinedIfCorrupt(readNight(lakeDir, night));
    if (!manifest || !isSameLink(manifest.previous, last)) continue;
    if (!(await isSealedFolderIntact(path.join(lakeDir, nightUnit(night))))) continue;
    head = { nights: [...head.nights, linkOf(manifest)] };
  }
  if (head !== before) await writeHead(lakeDir, head);
  return head;
}

async function writeHead(lakeDir: string, head: ChainHead): Promise<void> {
  const folder = path.join(lakeDir, HEAD);
  await ensureDir(folder);
  await writeAtomically(path.join(folder, MANIFEST), (temporary) =>
    writeFile(temporary, sealJson(head)),
  );
  await syncPath(folder);
}

/** Writes the folder of a night under a temporary name, and renames it when all its files are on disk. */
async function writeNight(
  { lakeDir, night, freeze }: Omit<NightRequest, 'home'>,
  previous: Link | undefined,
): Promise<void> {
  const folder = path.join(lakeDir, nightUnit(night));
  const written = await undefinedIfCorrupt(readNight(lakeDir, night));
  // Keep the night if another machine has written it, but replace a night that does not follow the chain.
  if (written && isSameLink(written.previous, previous)) return;
  await ensureDir(path.dirname(folder));
  await withTemporary(path.dirname(folder), async (temporary) => {
    await ensureDir(temporary);
    const unnamed = path.join(temporary, 'forecasts.parquet');
    const { rows, ...facts } = await freeze(unnamed);
    const [{ size: bytes }, sha256] = [await stat(unnamed), await fileSha256(unnamed)];
    const name = `${sha256.slice(0, 16)}.forecasts.parquet`;
    await rename(unnamed, path.join(temporary, name));
    await syncPath(path.join(temporary, name));
    const manifest: NightManifest = {
      ...{ night, frozenAt: facts.frozenAt, previous: previous ?? null },
      missedNights: missedBetween(previous?.night, night),
      ...{ storeVersion: facts.storeVersion, codeVersion: facts.codeVersion },
      file: { name, rows, bytes, sha256 },
    };
    await writeSynced(path.join(temporary, MANIFEST), sealJson(manifest));
    await syncPath(temporary);
    // Remove the old folder of the night. A sync may have left it empty, or its night does not follow the chain.
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder);
    await syncPath(path.dirname(folder));
  });
}

function missedBetween(previous: string | undefined, night: string): string[] {
  const missed: string[] = [];
  if (previous === undefined) return missed;
  for (let day = addDays(previous, 1); day < night && missed.length < MAX_MISSED;) {
    missed.push(day);
    day = addDays(day, 1);
  }
  return missed;
}

export function isSameLink(a: Link | null | undefined, b: Link | null | undefined): boolean {
  return a?.night === b?.night && a?.sha256 === b?.sha256;
}
