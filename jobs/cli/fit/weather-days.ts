import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dayValues } from '../../../pipelines/weather/day-values.ts';
import { parseObservations } from '../../../pipelines/weather/observations.ts';
import type { WeatherDay } from '../../../warehouse/lake/weather-lake.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import type { WeatherFlights } from '../../../models/train/weather-risk.ts';

/** Flights with dates, and the hourly weather at their origins. */
export const WEATHER_SOURCES = [
  {
    flights: 'flights/nyc_2017.parquet',
    weather: 'weather/nyc_2017_hourly.csv.gz',
    timeZone: 'America/New_York',
  },
  {
    flights: 'flights/pnw_2023_01-10.parquet',
    weather: 'weather/pnw_2023_hourly.csv.gz',
    timeZone: 'America/Los_Angeles',
  },
] as const;

/** Returns the airport-days of all sources that have both flights and weather, in order. */
export async function weatherFlights(dataDir: string): Promise<WeatherFlights[]> {
  const days: WeatherFlights[] = [];
  for (const { flights, weather, timeZone } of WEATHER_SOURCES) {
    const text = gunzipSync(await readFile(path.join(dataDir, weather))).toString();
    const weatherByDay = new Map<string, WeatherDay>();
    for (const [airport, hours] of parseObservations(weather, text)) {
      for (const day of dayValues(hours, timeZone)) weatherByDay.set(airport + day.date, day);
    }
    for (const row of await departureDays(path.join(dataDir, flights))) {
      const weatherDay = weatherByDay.get(row.airport + row.date);
      if (!weatherDay) continue;
      const { date: _, ...readings } = weatherDay;
      days.push({ ...row, readings });
    }
  }
  return days;
}

async function departureDays(file: string): Promise<Omit<WeatherFlights, 'readings'>[]> {
  const db = await openDatabase();
  try {
    return await db.rows(
      `select origin as airport, strftime(make_date(year::integer, month::integer, day::integer), '%Y-%m-%d') as date,
         count(arr_delay) as completed, count(*) filter (where arr_delay > 30) as delayed
       from read_parquet($file) group by all order by all`,
      { file },
    );
  } finally {
    db.close();
  }
}
