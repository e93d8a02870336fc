import { z } from 'zod';
import { SourceFormatError } from '../../warehouse/errors.ts';
import { dayValues } from './day-values.ts';
import type { WeatherHour, WeatherPlace } from './types.ts';
import type { WeatherDay } from '../../warehouse/lake/weather-lake.ts';
import { SERIES } from './open-meteo-request.ts';

/**
 * Maximum distance of an answer from the requested place, in degrees. The provider answers for the nearest point of its
 * grid. The cells of the grid are at most half as wide as this distance.
 */
const GRID_DEGREES = 1;

const MAX_OFFSET_S = 15 * 3_600;
const HOUR_MS = 3_600_000;

/** Maximum number of hours in an answer. A month with one more day at either end has 792 hours. */
const MAX_HOURS = 1_000;

/** Checks the list as a whole. With one error message for each value, millions of values would exhaust the memory. */
const times = z.custom<string[]>(
  (value) => Array.isArray(value) && value.length <= MAX_HOURS && value.every(isTime),
  'is not a list of hours',
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
 * Parses the local days of each place, in the order of `places`. Values that are missing, not numeric or impossible are
 * unknown. Throws SourceFormatError for answers with other places, units or structure.
 */
export function parseOpenMeteo(text: string, places: WeatherPlace[]): WeatherDay[][] {
  const json = parseJson(text);
  // For one place the answer is an object; for several places it is an array.
  const locations: unknown[] = Array.isArray(json) ? json : [locationOf(json)];
  if (locations.length !== places.length) {
    throw formatError(`${locations.length} places, expected ${places.length}`);
  }
  return places.map((place, index) =>
    dayValues(hoursOf(locationOf(locations[index]), place), place.timeZone),
  );
}

function locationOf(value: unknown): Location {
  const result = location.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw formatError(`not a forecast: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value);
}

function hoursOf(forecast: Location, place: WeatherPlace): WeatherHour[] {
  const { latitude, longitude, utc_offset_seconds: offset, hourly_units: units, hourly } = forecast;
  const distanceDegrees = Math.max(
    Math.abs(latitude - place.latitude),
    Math.abs(((longitude - place.longitude + 540) % 360) - 180),
  );
  if (distanceDegrees > GRID_DEGREES) {
    throw formatError(`${latitude}, ${longitude} is not near ${place.airport}`);
  }
  // The UTC offset at the time of the request applies to all hours of the answer, even if the clocks change between
  // them.
  const hours = hourly.time.map((time): WeatherHour => ({
    at: Date.parse(`${time}Z`) - offset * 1_000,
  }));
  if (hours.some(({ at }) => at % (HOUR_MS / 4) !== 0)) {
    throw formatError('not all times are at minute 0, 15, 30 or 45');
  }
  for (const [name, { field, unit, min, max }] of Object.entries(SERIES)) {
    const values = (hourly as Record<string, unknown>)[name];
    if (values === undefined) continue;
    if (!Array.isArray(values)) throw formatError(`${name} is not a list`);
    // Weather codes have no unit, and older answers do not list a unit for them.
    const actualUnit = units[name] ?? (field === 'weatherCode' ? unit : 'no unit');
    if (actualUnit !== unit) {
      throw formatError(`${name} is in ${shortJson(actualUnit)}, expected ${unit}`);
    }
    if (values.length !== hours.length) {
      throw formatError(`the lists ${name} and time have different lengths`);
    }
    for (const [index, value] of values.entries()) {
      const hour = hours[index];
      const isPossible = typeof value === 'number' && value >= min && value <= max;
      if (hour && isPossible) hour[field] = value;
    }
  }
  return hours;
}

/** Shortens a server's value for a message; it may have any type and length. */
function shortJson(value: unknown): string {
  return JSON.stringify(value).slice(0, 20);
}

/** Parses JSON; replaces NaN and Infinity, which JSON does not allow but some servers write. */
function parseJson(text: string): unknown {
  const cleaned = text.replaceAll(/(?<=[[,:]\s*)-?(?:NaN|Infinity)(?=\s*[,\]}])/g, 'null');
  try {
    return JSON.parse(cleaned);
  } catch (cause) {
    throw formatError('not JSON', { cause });
  }
}

function formatError(detail: string, options?: ErrorOptions): SourceFormatError {
  return new SourceFormatError('weather answer', detail, options);
}
