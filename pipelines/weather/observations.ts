import { SourceFormatError } from '../../warehouse/errors.ts';
import type { WeatherHour } from './types.ts';

/** The columns of a file of hourly observations, with accepted synonyms. */
export const OBSERVATION_COLUMNS = {
  origin: {
    synonyms: ['station', 'airport', 'iata'],
    meaning: 'IATA code of the airport; for U.S. airports also the ICAO code (`KSEA`)',
  },
  year: {
    synonyms: [],
    meaning:
      'year of the hour, in UTC or in the zone of `ZONE=`; this number and the next three may end in `.0`, as in `2017.0`',
  },
  month: { synonyms: [], meaning: 'month, 1 to 12' },
  day: { synonyms: [], meaning: 'day of the month' },
  hour: { synonyms: [], meaning: 'hour, 0 to 23, in the same zone' },
  temp: { synonyms: ['temperature', 'tmpf'], meaning: 'degrees Fahrenheit' },
  wind_speed: { synonyms: ['wind', 'wspd'], meaning: 'miles per hour' },
  precip: { synonyms: ['precipitation', 'p01i'], meaning: 'inches in the hour' },
  visib: { synonyms: ['visibility', 'vsby'], meaning: 'statute miles' },
} as const satisfies Record<string, { synonyms: readonly string[]; meaning: string }>;

type Column = keyof typeof OBSERVATION_COLUMNS;

const COLUMNS = Object.keys(OBSERVATION_COLUMNS) as Column[];

const KM_PER_MILE = 1.609344;
const MM_PER_INCH = 25.4;

/** Highest temperature at which precipitation is taken for snow or ice. */
const SNOW_BELOW_C = 0.5;
/** Snow is about ten times as deep as its water: 1 mm of water gives 1 cm of snow. */
const SNOW_CM_PER_MM = 1;

/** Possible values, in the units of the file; other values are instrument errors. */
const POSSIBLE = {
  temp: [-80, 140],
  wind_speed: [0, 150],
  precip: [0, 10],
  visib: [0, 100],
} as const;

/** Whether this is the header of a file of hourly observations. */
export function isObservations(firstLine: string): boolean {
  const indexes = columnIndexes(firstLine);
  return COLUMNS.every((column) => indexes.has(column));
}

/** Indexes of the columns in a header, under any of their names. */
function columnIndexes(header: string): Map<Column, number> {
  const names = cells(header).map((name) => name.toLowerCase());
  const indexes = COLUMNS.map((column): [Column, number] => {
    const synonyms = [column, ...OBSERVATION_COLUMNS[column].synonyms];
    return [column, names.findIndex((name) => synonyms.some((one) => one === name))];
  });
  return new Map(indexes.filter(([, place]) => place >= 0));
}

/**
 * Parses hourly observations by airport, from a file in Fahrenheit, miles per hour, inches and statute miles. Reads
 * year, month, day and hour as if they were UTC. Ignores `time_hour`, which is wrong, and `wind_gust`, which is a
 * multiple of the wind. `NA` means unknown. Derives snowfall from precipitation at freezing temperatures, because the
 * file has no snowfall.
 */
export function parseObservations(name: string, text: string): Map<string, WeatherHour[]> {
  const [header = '', ...lines] = text.split(/\r?\n/);
  if (!isObservations(header)) {
    const presentColumns = columnIndexes(header);
    const missing = COLUMNS.filter((column) => !presentColumns.has(column)).map((column) =>
      [column, ...OBSERVATION_COLUMNS[column].synonyms].join(' or '),
    );
    throw new SourceFormatError(
      name,
      `not a file of hourly observations: missing ${missing.join(', ')}`,
    );
  }
  const indexes = columnIndexes(header);
  const hours = new Map<string, WeatherHour[]>();
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const values = cells(line);
    const cell = (column: Column) => values[indexes.get(column) ?? -1] ?? '';
    const airport = cell('origin').replace(/^K(?=[A-Z]{3}$)/, '');
    const at = instantOf(['year', 'month', 'day', 'hour'].map((part) => cell(part as 'year')));
    if (!/^[A-Z]{3}$/.test(airport) || at === undefined) {
      throw new SourceFormatError(name, `line ${index + 2} has no valid airport or hour`);
    }
    const airportHours = hours.get(airport);
    const hour = { at, ...readings((column) => reading(cell(column), POSSIBLE[column])) };
    if (airportHours) airportHours.push(hour);
    else hours.set(airport, [hour]);
  }
  return hours;
}

function readings(readColumn: (column: keyof typeof POSSIBLE) => number | undefined) {
  const tempC = inUnits(readColumn('temp'), (fahrenheit) => ((fahrenheit - 32) * 5) / 9);
  const precipMm = inUnits(readColumn('precip'), (inches) => inches * MM_PER_INCH);
  const isFrost = inUnits(tempC, (celsius) => (celsius <= SNOW_BELOW_C ? 1 : 0));
  return {
    tempC,
    precipMm,
    windKmh: inUnits(readColumn('wind_speed'), (mph) => mph * KM_PER_MILE),
    visibilityM: inUnits(readColumn('visib'), (miles) => miles * KM_PER_MILE * 1_000),
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

/** Accepts `2015.0`, because some programs write all numbers as floating-point numbers. */
function wholeNumber(text: string): number | undefined {
  return /^\d+(\.0*)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** Splits a line; in these files quotes surround whole cells and contain no commas. */
function cells(line: string): string[] {
  return line.split(',').map((cell) => cell.replace(/^"(.*)"$/, '$1'));
}
