import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { round } from '../../../warehouse/ground/numbers.ts';
import type { Hazard } from '../../../models/weather-risk.ts';
import { fileSha256, sha256 } from '../../../warehouse/ground/hashes.ts';
import { WEATHER_SOURCES } from './weather-days.ts';
import type { FittedHazard, WeatherFlights } from '../../../models/train/weather-risk.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
export const PARAMETERS_FILE = path.join(ROOT, 'models/weather-risk.json');
export const PICTURE_FILE = path.join(ROOT, 'docs/weather-risk.svg');

/**
 * Log-odds of the full weather risk, which multiplies the odds of a calm day by four. The scale of the season spans the
 * same ratio, from half the average odds to twice the average odds.
 */
const FULL_LOG_ODDS = round(Math.log(4), 4);

/**
 * Returns the parameters with their provenance as JSON. The last field is the seal, which is the sha256 of all fields
 * before the seal.
 */
export async function sealParameters(
  hazards: FittedHazard[],
  days: WeatherFlights[],
  dataDir: string,
): Promise<string> {
  const files = WEATHER_SOURCES.flatMap(({ flights, weather }) => [flights, weather]);
  const sources = [];
  for (const file of files) {
    sources.push({ file, sha256: await fileSha256(path.join(dataDir, file)) });
  }
  const content = {
    fullLogOdds: FULL_LOG_ODDS,
    hazards: hazards.map(({ hazard, reading, from, to, logOdds, typical }): Hazard => ({
      ...{ hazard, reading, from, to },
      ...{ logOdds: round(logOdds, 4), typical: round(typical, 4) },
    })),
    provenance: {
      command: 'make weather-risk',
      sources,
      airportDays: days.length,
      flights: days.reduce((sum, { completed }) => sum + completed, 0),
      standardErrors: hazards
        .filter(({ setTo }) => setTo === undefined)
        .map(({ hazard, standardError }) => ({ hazard, standardError: round(standardError, 4) })),
      setByHand: hazards.filter(({ setTo }) => setTo !== undefined).map(({ hazard }) => hazard),
    },
  };
  return `${JSON.stringify({ ...content, seal: sha256(JSON.stringify(content)) }, null, 2)}\n`;
}

/** Writes the file, and creates its folder if necessary. */
export async function saveText(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
