import path from 'node:path';
import { listNames } from '../../ground/files.ts';
import { sha256 } from '../../ground/hashes.ts';
import type { LakeFile } from '../lake.ts';
import { readSealed, sealJson } from '../sealed.ts';

/** Folder of the frozen forecasts in the lake. Each night has a folder, which is written once and never changes. */
export const FORECASTS = 'forecasts';
/** Folder of the head, which is the list of all nights. */
export const HEAD = `${FORECASTS}/head`;
export const MANIFEST = 'manifest.json';
export const REMEDY = 'restore the lake from a backup (make restore-backup)';

const NIGHT = /^night=(\d{4}-\d{2}-\d{2})$/;

/** A link of the chain: a night, and the sha256 of its manifest. */
export type Link = { night: string; sha256: string };

/**
 * The manifest of a night. It contains the link of the night before, so that any change of an earlier night can be
 * detected.
 */
export type NightManifest = {
  /** UTC date on which the forecasts were frozen, `YYYY-MM-DD`. */
  night: string;
  frozenAt: string;
  /** Null for the first night. */
  previous: Link | null;
  /** Nights between the previous night and this night. They have no forecasts. */
  missedNights: string[];
  /** Version of the score store from which the forecasts were computed. */
  storeVersion: string;
  codeVersion: string;
  file: LakeFile;
};

/** The head of the chain: all nights, oldest first. */
export type ChainHead = { nights: Link[] };

/** Returns the folder of a night, relative to the lake. */
export function nightUnit(night: string): string {
  return `${FORECASTS}/night=${night}`;
}

/** Returns the link that names this manifest. */
export function linkOf(manifest: NightManifest): Link {
  return { night: manifest.night, sha256: sha256(sealJson(manifest)) };
}

/** Lists the nights that have a folder, oldest first. */
export async function listNights(lakeDir: string): Promise<string[]> {
  const names = await listNames(path.join(lakeDir, FORECASTS));
  return names.flatMap((name) => NIGHT.exec(name)?.[1] ?? []).toSorted();
}

/**
 * Reads the manifest of a night; undefined if the night has no manifest. Throws `CorruptFileError` if the manifest was
 * changed.
 */
export function readNight(lakeDir: string, night: string): Promise<NightManifest | undefined> {
  return readSealed<NightManifest>(path.join(lakeDir, nightUnit(night), MANIFEST), REMEDY);
}

/** Reads the head; a chain without a head has no nights. Throws `CorruptFileError` if the head was changed. */
export async function readHead(lakeDir: string): Promise<ChainHead> {
  return (
    (await readSealed<ChainHead>(path.join(lakeDir, HEAD, MANIFEST), REMEDY)) ?? { nights: [] }
  );
}

/** Lists the Parquet files of the linked nights, oldest first. */
export async function listForecastFiles(lakeDir: string): Promise<string[]> {
  const { nights } = await readHead(lakeDir);
  const manifests = await Promise.all(nights.map(({ night }) => readNight(lakeDir, night)));
  return manifests.flatMap((manifest) =>
    manifest ? [path.join(lakeDir, nightUnit(manifest.night), manifest.file.name)] : [],
  );
}
