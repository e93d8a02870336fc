import { SourceFormatError } from '../errors.ts';
import type { WeatherHour } from './types.ts';

const COLUMNS = [
  ...(['origin', 'year', 'month', 'day', 'hour'] as const),
  ...(['temp', 'wind_speed', 'precip', 'visib'] as const),
];

const KM_PER_MILE = 1.609344;
const MM_PER_INCH = 25.4;

/** Rain that falls at this temperature or below is snow, or ice. */
const SNOW_BELOW_C = 0.5;
/** Snow is about ten times as deep as the water it holds. */
const SNOW_CM_PER_MM = 1;

/** What can be true of an hour, in the units of the file; anything else is an instrument's mistake. */
const POSSIBLE = {
  temp: [-80, 140],
  wind_speed: [0, 150],
  precip: [0, 10],
  visib: [0, 100],
} as const;

/** Whether a file that begins so holds hourly observations. */
export function isObservations(firstLine: string): boolean {
  const names = cells(firstLine);
  return COLUMNS.every((column) => names.includes(column));
}

/**
 * Hourly observations by airport, from a file in Fahrenheit, miles an hour, inches and statute miles. Its year to hour are
 * UTC; its `time_hour` is off and its `wind_gust` only the wind multiplied, so neither is read. `NA` is unknown. Snowfall is
 * not measured: it is taken from precipitation in the frost.
 */
export function parseObservations(name: string, text: string): Map<string, WeatherHour[]> {
  const [header = '', ...lines] = text.split(/\r?\n/);
  if (!isObservations(header)) {
    const names = cells(header);
    const missing = COLUMNS.filter((column) => !names.includes(column));
    throw new SourceFormatError(name, `no hourly observations: missing ${missing.join(', ')}`);
  }
  const places = new Map(cells(header).map((column, index) => [column, index]));
  const hours = new Map<string, WeatherHour[]>();
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const values = cells(line);
    const cell = (column: (typeof COLUMNS)[number]) => values[places.get(column) ?? -1] ?? '';
    const airport = cell('origin');
    const at = instantOf(['year', 'month', 'day', 'hour'].map((part) => cell(part as 'year')));
    if (!/^[A-Z]{3}$/.test(airport) || at === undefined) {
      throw new SourceFormatError(name, `line ${index + 2} names no airport or no hour`);
    }
    const known = hours.get(airport);
    const hour = { at, ...readings((column) => reading(cell(column), POSSIBLE[column])) };
    if (known) known.push(hour);
    else hours.set(airport, [hour]);
  }
  return hours;
}

function readings(of: (column: keyof typeof POSSIBLE) => number | undefined) {
  const tempC = inUnits(of('temp'), (fahrenheit) => ((fahrenheit - 32) * 5) / 9);
  const precipMm = inUnits(of('precip'), (inches) => inches * MM_PER_INCH);
  const isFrost = inUnits(tempC, (celsius) => (celsius <= SNOW_BELOW_C ? 1 : 0));
  return {
    tempC,
    precipMm,
    windKmh: inUnits(of('wind_speed'), (mph) => mph * KM_PER_MILE),
    visibilityM: inUnits(of('visib'), (miles) => miles * KM_PER_MILE * 1_000),
    snowfallCm:
      isFrost === 0 || precipMm === 0
        ? 0
        : inUnits(isFrost && precipMm, (millimetres) => millimetres * SNOW_CM_PER_MM),
  };
}

function inUnits(value: number | undefined, convert: (value: number) => number) {
  return value === undefined ? undefined : convert(value);
}

function reading(text: string, [least, most]: readonly [number, number]): number | undefined {
  const value = text === '' || text === 'NA' ? NaN : Number(text);
  return value >= least && value <= most ? value : undefined;
}

function instantOf(parts: string[]): number | undefined {
  if (!parts.every((part) => /^\d+$/.test(part))) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0] = parts.map(Number);
  const at = new Date(Date.UTC(year, month - 1, day, hour));
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && hour < 24;
  return isReal ? at.getTime() : undefined;
}

/** These files quote text and nothing within it. */
function cells(line: string): string[] {
  return line.split(',').map((cell) => cell.replace(/^"(.*)"$/, '$1'));
}
