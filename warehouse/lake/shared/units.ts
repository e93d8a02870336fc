import path from 'node:path';
import { listNames, readIfExists } from '../../ground/files.ts';
import { HEAD, listNights, nightUnit } from '../forecasts/nights.ts';
import { isMarkedDropped } from '../dropped.ts';
import { monthDir, listMonths, type LakeFile } from '../lake.ts';
import {
  fingerprintOfText,
  listMonthsWithVersions,
  listVersionIds,
  versionsDir,
  type MonthRef,
} from '../versions.ts';
import { weatherDir, listWeatherMonths, type WeatherMonthRef } from '../weather-lake.ts';

/**
 * A unit is always replaced as a whole. It is a month of a folder tree, a month of one weather source, a night of
 * frozen forecasts, or the head of the chain of nights. The name of a unit is its folder in the lake, for example
 * `flights/year=2025/month=03`.
 */
export type Unit = string;

/** The state of a unit that machines share. */
export type UnitState = {
  /** Fingerprint of the current manifest; absent if the unit was dropped. */
  current?: string;
  /** Ids of the former versions, oldest first. */
  kept: string[];
  /**
   * Set if the unit was dropped and has no former version. If a former version is kept, it already shows that the unit
   * was dropped.
   */
  isDropped?: true;
};

export const MANIFEST = 'manifest.json';

/** The part of a manifest that names files. */
export type FileNames = { files?: Record<string, LakeFile | undefined>; file?: LakeFile };

export function unitOf({ month, tree }: MonthRef): Unit {
  return monthDir('', month, tree);
}

export function weatherUnit(ref: WeatherMonthRef): Unit {
  return weatherDir('', ref);
}

/** Parses the name of a unit as a month. Undefined for a unit that has no former versions. */
export function parseMonthRef(unit: Unit): MonthRef | undefined {
  const [, tree, year, number] = /^(flights|levels)\/year=(\d{4})\/month=(\d{2})$/.exec(unit) ?? [];
  if (tree !== 'flights' && tree !== 'levels') return undefined;
  return { tree, month: `${year}-${number}` };
}

/** Lists the files that a manifest names. */
export function listNamedFiles({ files = {}, file }: FileNames): LakeFile[] {
  return [...Object.values(files), file].filter((one) => one !== undefined);
}

/** Formats a state as text for the pointer; empty if the unit has no versions and was not dropped. */
export function formatState({ current, kept, isDropped }: UnitState): string {
  if (current === undefined && kept.length === 0) {
    return isDropped === true ? JSON.stringify({ kept, isDropped }) : '';
  }
  return JSON.stringify({ ...(current !== undefined && { current }), kept });
}

export function parseState(text: string): UnitState {
  return text === '' ? { kept: [] } : (JSON.parse(text) as UnitState);
}

/** Reads the local state of a unit. A damaged manifest gets a fingerprint that no pointer can have. */
export async function readLocalState(lakeDir: string, unit: Unit): Promise<UnitState> {
  const text = await readIfExists(path.join(lakeDir, unit, MANIFEST));
  const ref = parseMonthRef(unit);
  return {
    ...(text && { current: fingerprintOfText(text.toString()) }),
    kept: ref ? await listVersionIds(versionsDir(lakeDir, ref)) : [],
    ...(ref && (await isMarkedDropped(lakeDir, ref)) && { isDropped: true }),
  };
}

/** Lists the units that have files on this machine. */
export async function listLocalUnits(lakeDir: string): Promise<Unit[]> {
  if ((await listNames(lakeDir)).length === 0) return [];
  const months = await Promise.all(
    (['flights', 'levels'] as const).map(async (tree) =>
      (await listMonths(lakeDir, tree)).map((month) => unitOf({ month, tree })),
    ),
  );
  const versions = (await listMonthsWithVersions(lakeDir)).map(unitOf);
  const weather = (await listWeatherMonths(lakeDir)).map(weatherUnit);
  const nights = (await listNights(lakeDir)).map(nightUnit);
  const forecasts = nights.length > 0 ? [...nights, HEAD] : [];
  return [...new Set([...months.flat(), ...versions, ...weather, ...forecasts])];
}
