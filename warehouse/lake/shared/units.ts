import path from 'node:path';
import { namesIn, readIfThere } from '../../ground/files.ts';
import { monthDir, monthsIn, type LakeFile } from '../lake.ts';
import {
  fingerprintOfText,
  monthsWithVersions,
  versionIds,
  versionsDir,
  type MonthRef,
} from '../versions.ts';
import { weatherDir, weatherMonths, type WeatherMonthRef } from '../weather-lake.ts';

/**
 * What the lake replaces whole, a month of a tree or of a source of weather, named by its folder below the lake:
 * `flights/year=2025/month=03`.
 */
export type Unit = string;

/** Which manifest of a unit counts, by its fingerprint, and the versions that are kept, oldest first. */
export type UnitState = { current?: string; kept: string[] };

export const MANIFEST = 'manifest.json';

/** A manifest as far as it names files. */
export type NamingFiles = { files?: Record<string, LakeFile | undefined>; file?: LakeFile };

export function unitOf({ month, tree }: MonthRef): Unit {
  return monthDir('', month, tree);
}

export function weatherUnit(ref: WeatherMonthRef): Unit {
  return weatherDir('', ref);
}

/** The month of a tree that has versions; undefined of weather. */
export function refOf(unit: Unit): MonthRef | undefined {
  const [, tree, year, number] = /^(flights|levels)\/year=(\d{4})\/month=(\d{2})$/.exec(unit) ?? [];
  if (tree !== 'flights' && tree !== 'levels') return undefined;
  return { tree, month: `${year}-${number}` };
}

/** The files a manifest names. */
export function namedFiles({ files = {}, file }: NamingFiles): LakeFile[] {
  return [...Object.values(files), file].filter((one) => one !== undefined);
}

/** As a pointer holds it; empty when there is nothing. */
export function stateText({ current, kept }: UnitState): string {
  if (current === undefined && kept.length === 0) return '';
  return JSON.stringify({ ...(current !== undefined && { current }), kept });
}

export function parseState(text: string): UnitState {
  return text === '' ? { kept: [] } : (JSON.parse(text) as UnitState);
}

/** How a unit is on this machine. A manifest that is damaged is one that nobody knows. */
export async function localState(lakeDir: string, unit: Unit): Promise<UnitState> {
  const text = await readIfThere(path.join(lakeDir, unit, MANIFEST));
  const ref = refOf(unit);
  return {
    ...(text && { current: fingerprintOfText(text.toString()) }),
    kept: ref ? await versionIds(versionsDir(lakeDir, ref)) : [],
  };
}

/** Every unit that this machine has anything of. */
export async function localUnits(lakeDir: string): Promise<Unit[]> {
  if ((await namesIn(lakeDir)).length === 0) return [];
  const months = await Promise.all(
    (['flights', 'levels'] as const).map(async (tree) =>
      (await monthsIn(lakeDir, tree)).map((month) => unitOf({ month, tree })),
    ),
  );
  const versions = (await monthsWithVersions(lakeDir)).map(unitOf);
  const weather = (await weatherMonths(lakeDir)).map(weatherUnit);
  return [...new Set([...months.flat(), ...versions, ...weather])];
}
