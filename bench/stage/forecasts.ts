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
  /** First hour, by the axis of the answer. */
  from?: string;
  hours?: number;
  /** What the answer says its axis is ahead of UTC. */
  offsetS?: number;
};

/** A forecast in the wire format: 10 °C, 10 km/h of wind, half a millimetre of rain, clear sight, hour after hour. */
export function aForecast(
  { latitude, longitude, timeZone }: WeatherPlace,
  { from = '2026-11-21T00:00', hours = 24, offsetS = offsetOf(timeZone, from) }: ForecastHours = {},
) {
  const start = Date.parse(`${from}Z`);
  const every = (value: number): (number | null)[] => Array.from({ length: hours }, () => value);
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
      temperature_2m: every(10),
      wind_speed_10m: every(10),
      wind_gusts_10m: every(20),
      precipitation: every(0.5),
      snowfall: every(0),
      visibility: every(20_000),
      weather_code: every(61),
    },
  };
}

/** Seconds the zone is ahead of UTC at that wall-clock time, give or take an hour on the day of a change. */
function offsetOf(timeZone: string, local: string): number {
  const at = new Date(`${local}Z`);
  const wall = new Date(`${at.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`);
  return Math.round((wall.getTime() - at.getTime()) / 1_000);
}
