import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { WeatherPlace, WeatherHour } from './types.ts';

/** The field of an hourly series, its expected unit, and its possible range. */
type Series = {
  field: Exclude<keyof WeatherHour, 'at'>;
  unit: string;
  min: number;
  max: number;
};

/** The requested hourly series, by their names in the wire format. */
export const SERIES: Record<string, Series> = {
  temperature_2m: { field: 'tempC', unit: '°C', min: -90, max: 60 },
  wind_speed_10m: { field: 'windKmh', unit: 'km/h', min: 0, max: 450 },
  wind_gusts_10m: { field: 'gustKmh', unit: 'km/h', min: 0, max: 450 },
  precipitation: { field: 'precipMm', unit: 'mm', min: 0, max: 400 },
  snowfall: { field: 'snowfallCm', unit: 'cm', min: 0, max: 100 },
  visibility: { field: 'visibilityM', unit: 'm', min: 0, max: 1_000_000 },
  weather_code: { field: 'weatherCode', unit: 'wmo code', min: 0, max: 99 },
};

/** The archive has no visibility, because its source is a reanalysis without visibility. */
const ARCHIVE_SERIES = Object.keys(SERIES).filter((name) => name !== 'visibility');

/** Days of a forecast, today included. */
const FORECAST_DAYS = 16;

/** Maximum number of places in a request. With 7 series of 16 days, the answer has 1.5 MB, and the address 2 kB. */
export const PLACES_PER_CALL = 100;
/** Limits of one fetch. A forecast for a hundred places has 1.7 MB, and a month of the archive has 4 MB. */
export const WEATHER_LIMITS = { deadlineMs: 60_000, maxBytes: 8_000_000 };
/**
 * Pause between two requests. The provider allows 600 calls a minute. Four requests of a hundred places use 400 of
 * them; the rest is free for other work.
 */
export const FORECAST_PAUSE_MS = 15_000;
/** Pause between two requests to the archive, in ms. The provider charges a month of a hundred places as 165 calls. */
export const ARCHIVE_PAUSE_MS = 20_000;

/** The address of a forecast for these places, from today on. */
export function forecastUrl(base: string, places: WeatherPlace[], apiKey?: string): string {
  return urlOf(base, places, apiKey, {
    hourly: Object.keys(SERIES).join(','),
    forecast_days: String(FORECAST_DAYS),
  });
}

/** Whether a forecast made now can include this local date, at least in some time zone. Other dates are ignored. */
export function isForecastDay(date: string, now: Date): boolean {
  const days = (Date.parse(date) - now.getTime()) / DAY_MS;
  // Local days begin up to half a day before or after midnight in UTC.
  return days > -2 && days < FORECAST_DAYS + 1;
}

/** The address of past weather at these places, from `from` to `to` (dates, both included). */
export function archiveUrl(
  base: string,
  places: WeatherPlace[],
  span: { from: string; to: string },
  apiKey?: string,
): string {
  return urlOf(base, places, apiKey, {
    hourly: ARCHIVE_SERIES.join(','),
    start_date: span.from,
    end_date: span.to,
  });
}

/**
 * Returns the number of calls that the provider counts for a request. Each place counts as one call. It counts as more
 * if the request has over 10 series, or if the number of series times the number of days is over 140.
 */
export function callWeight(places: number, days: number = FORECAST_DAYS): number {
  const series = Object.keys(SERIES).length / 10;
  return places * Math.max(1, series, (series * days) / 14);
}

function urlOf(
  base: string,
  places: WeatherPlace[],
  apiKey: string | undefined,
  parameters: Record<string, string>,
): string {
  const url = new URL(base);
  const query = {
    latitude: places.map(({ latitude }) => latitude.toFixed(4)).join(','),
    longitude: places.map(({ longitude }) => longitude.toFixed(4)).join(','),
    timezone: 'auto',
    temperature_unit: 'celsius',
    wind_speed_unit: 'kmh',
    precipitation_unit: 'mm',
    ...parameters,
    ...(apiKey !== undefined && { apikey: apiKey }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
