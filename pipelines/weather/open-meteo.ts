import { z } from 'zod';
import { SourceFormatError } from '../errors.ts';
import { dayValues } from './day-values.ts';
import { SERIES } from './open-meteo-series.ts';
import type { WeatherHour, WeatherPlace } from './types.ts';
import type { WeatherDay } from '../../warehouse/lake/weather-lake.ts';

/** An answer is for a point of the provider's grid, whose cells are at most half this wide. */
const GRID_DEGREES = 1;

const MAX_OFFSET_S = 15 * 3_600;
const HOUR_MS = 3_600_000;

/** A month and a day at either end have 792. */
const MAX_HOURS = 1_000;

/** Checked as one: a complaint about each of millions of values would take more memory than there is. */
const times = z.custom<string[]>(
  (value) => Array.isArray(value) && value.length <= MAX_HOURS && value.every(isTime),
  'is no list of hours',
);

const location = z.object({
  latitude: z.number(),
  longitude: z.number(),
  utc_offset_seconds: z.number().int().min(-MAX_OFFSET_S).max(MAX_OFFSET_S),
  hourly_units: z.record(z.string(), z.unknown()),
  hourly: z.record(z.string(), z.unknown()).and(z.object({ time: times })),
});

type Location = z.infer<typeof location>;

/**
 * The local days of each place, in the order asked for. Values that are missing, no numbers or impossible are unknown; an
 * answer for other places, in other units or of another shape throws SourceFormatError.
 */
export function parseOpenMeteo(text: string, places: WeatherPlace[]): WeatherDay[][] {
  const json = parseJson(text);
  // One place is answered with an object, several with an array.
  const found: unknown[] = Array.isArray(json) ? json : [locationOf(json)];
  if (found.length !== places.length) {
    throw wrong(`${found.length} places instead of ${places.length}`);
  }
  return places.map((place, index) =>
    dayValues(hoursOf(locationOf(found[index]), place), place.timeZone),
  );
}

function locationOf(found: unknown): Location {
  const read = location.safeParse(found);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw wrong(`no forecast: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value);
}

function hoursOf(found: Location, place: WeatherPlace): WeatherHour[] {
  const { latitude, longitude, utc_offset_seconds: offset, hourly_units: units, hourly } = found;
  const away = Math.max(
    Math.abs(latitude - place.latitude),
    Math.abs(((longitude - place.longitude + 540) % 360) - 180),
  );
  if (away > GRID_DEGREES) {
    throw wrong(`${latitude}, ${longitude} is not near ${place.airport}`);
  }
  // One offset holds for the whole axis, that of the moment of asking, even where the clocks change within it.
  const hours = hourly.time.map((time): WeatherHour => ({
    at: Date.parse(`${time}Z`) - offset * 1_000,
  }));
  if (hours.some(({ at }) => at % (HOUR_MS / 4) !== 0)) throw wrong('times off the hour');
  for (const [name, { field, unit, least, most }] of Object.entries(SERIES)) {
    const values = (hourly as Record<string, unknown>)[name];
    if (values === undefined) continue;
    if (!Array.isArray(values)) throw wrong(`${name} is no list`);
    // Codes have no unit, and older answers say so by naming none.
    const given = units[name] ?? (field === 'weatherCode' ? unit : 'no unit');
    if (given !== unit) throw wrong(`${name} is in ${shown(given)}, not ${unit}`);
    if (values.length !== hours.length) throw wrong(`${name} has another length than time`);
    for (const [index, value] of values.entries()) {
      const hour = hours[index];
      const isPossible = typeof value === 'number' && value >= least && value <= most;
      if (hour && isPossible) hour[field] = value;
    }
  }
  return hours;
}

/** What a server sent, for a message: it may be of any kind and length. */
function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 20);
}

/** Not-a-number has no place in JSON, but some servers write it. */
function parseJson(text: string): unknown {
  const plain = text.replaceAll(/(?<=[[,:]\s*)-?(?:NaN|Infinity)(?=\s*[,\]}])/g, 'null');
  try {
    return JSON.parse(plain);
  } catch (cause) {
    throw wrong('no JSON', { cause });
  }
}

function wrong(detail: string, options?: ErrorOptions): SourceFormatError {
  return new SourceFormatError('weather answer', detail, options);
}
