import { sum } from '../../warehouse/ground/sum.ts';
import type { WeatherHour } from './types.ts';
import type { WeatherDay } from '../../warehouse/lake/weather-lake.ts';

/** A value that fewer of the day's hours speak for is unknown: the rest might have held the storm. */
const LEAST_HOURS = 18;

/** WMO codes of drizzle and rain that freeze on the ground. */
const FREEZING_CODES = new Set([56, 57, 66, 67]);
/** What an hour of freezing rain is worth in snow: no source measures the ice. */
const ICE_CM_PER_HOUR = 0.5;

/**
 * The hours as days of the time zone, ascending: 23 or 25 hours long where the clocks change. An hour counts once; a day of
 * which no value is known is left out.
 */
export function dayValues(hours: WeatherHour[], timeZone: string): WeatherDay[] {
  const dateOf = localDate(timeZone);
  const days = Map.groupBy(new Map(hours.map((hour) => [hour.at, hour])).values(), ({ at }) =>
    dateOf(at),
  );
  return [...days.entries()]
    .map(([date, ofDay]) => dayOf(date, ofDay))
    .filter((day) => Object.keys(day).length > 1)
    .toSorted((a, b) => a.date.localeCompare(b.date));
}

function dayOf(date: string, hours: WeatherHour[]): WeatherDay {
  const day = {
    date,
    tempMeanC: of(hours, ({ tempC }) => tempC, mean),
    windMaxKmh: of(hours, ({ windKmh }) => windKmh, max),
    gustMaxKmh: of(hours, ({ gustKmh }) => gustKmh, max),
    precipMaxMm: of(hours, ({ precipMm }) => precipMm, max),
    snowfallCm: of(hours, snowOrIce, sum),
    visibilityMinM: of(hours, ({ visibilityM }) => visibilityM, min),
    weatherCode: of(hours, ({ weatherCode }) => weatherCode, max),
  };
  const known = Object.entries(day).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as WeatherDay;
}

function of(
  hours: WeatherHour[],
  pick: (hour: WeatherHour) => number | undefined,
  combine: (values: number[]) => number,
): number | undefined {
  const values = hours.map(pick).filter((value) => value !== undefined);
  // A tenth of a millimetre is as fine as any source measures; more digits would only be noise.
  return values.length < LEAST_HOURS ? undefined : Math.round(combine(values) * 100) / 100;
}

function snowOrIce({ snowfallCm, weatherCode }: WeatherHour): number | undefined {
  const isFreezing = weatherCode !== undefined && FREEZING_CODES.has(weatherCode);
  return isFreezing ? Math.max(snowfallCm ?? 0, ICE_CM_PER_HOUR) : snowfallCm;
}

/** Writes an instant as the date the calendar of the time zone shows. */
function localDate(timeZone: string): (at: number) => string {
  // Sweden writes dates as ISO does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone });
  return (at) => format.format(at);
}

const max = (values: number[]) => Math.max(...values);
const min = (values: number[]) => Math.min(...values);
const mean = (values: number[]) => sum(values) / values.length;
