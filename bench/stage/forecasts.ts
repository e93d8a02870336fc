import type { WeatherPlace } from '../../pipelines/weather/types.ts';

export const JFK: WeatherPlace = {
  airport: 'JFK',
  latitude: 40.64,
  longitude: -73.78,
  timeZone: 'America/New_York',
};

export const LAX: WeatherPlace = {
  airport: 'LAX',
  latitude: 33.94,
  longitude: -118.41,
  timeZone: 'America/Los_Angeles',
};

export type ForecastHours = {
  /** First hour, in the answer's time zone. */
  from?: string;
  hours?: number;
  /** The answer's offset from UTC, in seconds. */
  offsetS?: number;
};

/**
 * Builds a forecast in the wire format. All hours are equal: 10 °C, 10 km/h of wind, 0.5 mm of rain, 20 km of
 * visibility.
 */
export function buildForecast(
  { latitude, longitude, timeZone }: WeatherPlace,
  {
    from = '2026-11-21T00:00',
    hours = 24,
    offsetS = utcOffsetS(timeZone, from),
  }: ForecastHours = {},
) {
  const start = Date.parse(`${from}Z`);
  const repeat = (value: number): (number | null)[] => Array.from({ length: hours }, () => value);
  return {
    latitude: latitude + 0.02,
    longitude: longitude - 0.02,
    utc_offset_seconds: offsetS,
    timezone: timeZone,
    hourly_units: {
      time: 'iso8601',
      temperature_2m: '°C',
      wind_speed_10m: 'km/h',
      wind_gusts_10m: 'km/h',
      precipitation: 'mm',
      snowfall: 'cm',
      visibility: 'm',
      weather_code: 'wmo code',
    },
    hourly: {
      time: Array.from({ length: hours }, (_, hour) =>
        new Date(start + hour * 3_600_000).toISOString().slice(0, 16),
      ),
      temperature_2m: repeat(10),
      wind_speed_10m: repeat(10),
      wind_gusts_10m: repeat(20),
      precipitation: repeat(0.5),
      snowfall: repeat(0),
      visibility: repeat(20_000),
      weather_code: repeat(61),
    },
  };
}

/**
 * Returns the zone's offset from UTC in seconds at this wall-clock time; the result may be an hour off on days of a
 * clock change.
 */
function utcOffsetS(timeZone: string, local: string): number {
  const at = new Date(`${local}Z`);
  const wall = new Date(`${at.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`);
  return Math.round((wall.getTime() - at.getTime()) / 1_000);
}
