import type { WeatherHour } from './types.ts';

/** What an hourly series holds, the unit it must come in, and what can be true of it. */
type Series = {
  field: Exclude<keyof WeatherHour, 'at'>;
  unit: string;
  least: number;
  most: number;
};

/** The hourly series asked for, by their names in the wire format. */
export const SERIES: Record<string, Series> = {
  temperature_2m: { field: 'tempC', unit: '°C', least: -90, most: 60 },
  wind_speed_10m: { field: 'windKmh', unit: 'km/h', least: 0, most: 450 },
  wind_gusts_10m: { field: 'gustKmh', unit: 'km/h', least: 0, most: 450 },
  precipitation: { field: 'precipMm', unit: 'mm', least: 0, most: 400 },
  snowfall: { field: 'snowfallCm', unit: 'cm', least: 0, most: 100 },
  visibility: { field: 'visibilityM', unit: 'm', least: 0, most: 1_000_000 },
  weather_code: { field: 'weatherCode', unit: 'wmo code', least: 0, most: 99 },
};
