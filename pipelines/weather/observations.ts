import { SourceFormatError } from '../errors.ts';
import type { WeatherHour } from './types.ts';

/** The columns of a file of hourly observations, and other names they go by. */
export const OBSERVATION_COLUMNS = {
  origin: {
    synonyms: ['station', 'airport', 'iata'],
    meaning: 'IATA code of the airport; the ICAO code of one in the United States (`KSEA`) will do',
  },
  year: {
    synonyms: [],
    meaning: 'year of the hour, UTC or as `ZONE=` says; `2017.0`, here and below, will do',
  },
  month: { synonyms: [], meaning: 'month, 1 to 12' },
  day: { synonyms: [], meaning: 'day of the month' },
  hour: { synonyms: [], meaning: 'hour, 0 to 23, by the same clock' },
  temp: { synonyms: ['temperature', 'tmpf'], meaning: 'degrees Fahrenheit' },
  wind_speed: { synonyms: ['wind', 'wspd'], meaning: 'miles an hour' },
  precip: { synonyms: ['precipitation', 'p01i'], meaning: 'inches in the hour' },
  visib: { synonyms: ['visibility', 'vsby'], meaning: 'statute miles' },
} as const satisfies Record<string, { synonyms: readonly string[]; meaning: string }>;

type Column = keyof typeof OBSERVATION_COLUMNS;

const COLUMNS = Object.keys(OBSERVATION_COLUMNS) as Column[];

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
  const places = placesOf(firstLine);
  return COLUMNS.every((column) => places.has(column));
}

/** Where each column of a header is, under whichever of its names. */
function placesOf(header: string): Map<Column, number> {
  const names = cells(header).map((name) => name.toLowerCase());
  const found = COLUMNS.map((column): [Column, number] => {
    const known = [column, ...OBSERVATION_COLUMNS[column].synonyms];
    return [column, names.findIndex((name) => known.some((one) => one === name))];
  });
  return new Map(found.filter(([, place]) => place >= 0));
}

/**
 * Hourly observations by airport, from a file in Fahrenheit, miles an hour, inches and statute miles. Its year to hour are
 * taken for UTC, whatever clock they are by; its `time_hour` is off and its `wind_gust` only the wind multiplied, so neither is read. `NA` is unknown. Snowfall is
 * not measured: it is taken from precipitation in the frost.
 */
export function parseObservations(name: string, text: string): Map<string, WeatherHour[]> {
  const [header = '', ...lines] = text.split(/\r?\n/);
  if (!isObservations(header)) {
    const found = placesOf(header);
    const missing = COLUMNS.filter((column) => !found.has(column)).map((column) =>
      [column, ...OBSERVATION_COLUMNS[column].synonyms].join(' or '),
    );
    throw new SourceFormatError(name, `no hourly observations: missing ${missing.join(', ')}`);
  }
  const places = placesOf(header);
  const hours = new Map<string, WeatherHour[]>();
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const values = cells(line);
    const cell = (column: Column) => values[places.get(column) ?? -1] ?? '';
    const airport = cell('origin').replace(/^K(?=[A-Z]{3}$)/, '');
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
  const numbers = parts.map(wholeNumber);
  if (numbers.includes(undefined)) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0] = numbers;
  const at = new Date(Date.UTC(year, month - 1, day, hour));
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && hour < 24;
  return isReal ? at.getTime() : undefined;
}

/** Programs that know numbers alone write 2015 as `2015.0`, as they do in files of flights. */
function wholeNumber(text: string): number | undefined {
  return /^\d+(\.0*)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** These files quote text and nothing within it. */
function cells(line: string): string[] {
  return line.split(',').map((cell) => cell.replace(/^"(.*)"$/, '$1'));
}
