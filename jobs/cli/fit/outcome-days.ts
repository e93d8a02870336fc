import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dayValues } from '../../../pipelines/weather/day-values.ts';
import { parseObservations } from '../../../pipelines/weather/observations.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import type { WeatherReadings } from '../../../warehouse/store/types.ts';
import { WEATHER_SOURCES } from './weather-days.ts';

/** Departures from one airport on one day, by outcome, with the weather where it is known. */
export type OutcomeDay = {
  airport: string;
  /** `YYYY-MM-DD`, local. */
  date: string;
  flights: number;
  cancelled: number;
  diverted: number;
  completed: number;
  /**
   * Number of flights at least 15 minutes late. The next fields count flights more than 30, 60, 120, 180 and 360
   * minutes late.
   */
  late15: number;
  late30: number;
  late60: number;
  late120: number;
  late180: number;
  late360: number;
  readings?: WeatherReadings;
};

/** Files of dated flights without weather. */
const OTHER_FLIGHTS = [
  'flights/az_2024.parquet',
  'flights/bwi_2021.parquet',
  'flights/pnw_2016-06_2017-05.parquet',
];

/**
 * Returns the departures per airport and day, from all files of dated flights. Only the days in New York, Seattle and
 * Portland also have the weather.
 */
export async function outcomeDays(dataDir: string): Promise<OutcomeDay[]> {
  const days: OutcomeDay[] = [];
  for (const { flights, weather, timeZone } of WEATHER_SOURCES) {
    const text = gunzipSync(await readFile(path.join(dataDir, weather))).toString();
    const readings = new Map<string, WeatherReadings>();
    for (const [airport, hours] of parseObservations(weather, text)) {
      for (const { date, ...values } of dayValues(hours, timeZone)) {
        readings.set(airport + date, values);
      }
    }
    for (const day of await departureDays(path.join(dataDir, flights))) {
      const known = readings.get(day.airport + day.date);
      days.push({ ...day, ...(known && { readings: known }) });
    }
  }
  for (const file of OTHER_FLIGHTS) days.push(...(await departureDays(path.join(dataDir, file))));
  return days;
}

async function departureDays(file: string): Promise<OutcomeDay[]> {
  const db = await openDatabase();
  const over = (minutes: number) =>
    `count(*) filter (where arr_delay > ${minutes}) as late${minutes}`;
  try {
    return await db.rows(
      `select origin as airport,
         strftime(make_date(year::integer, month::integer, day::integer), '%Y-%m-%d') as date,
         count(*) as flights, count(*) filter (where dep_time is null) as cancelled,
         count(*) filter (where dep_time is not null and arr_delay is null) as diverted,
         count(arr_delay) as completed, count(*) filter (where arr_delay >= 15) as late15,
         ${[30, 60, 120, 180, 360].map(over).join(', ')}
       from read_parquet($file) group by all order by all`,
      { file },
    );
  } finally {
    db.close();
  }
}
