import type { WeatherHour } from './types.ts';

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
