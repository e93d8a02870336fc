import { sum } from '../../warehouse/ground/numbers.ts';
import type { WeatherHour } from './types.ts';
import type { WeatherDay } from '../../warehouse/lake/weather-lake.ts';

/**
 * Minimum number of hours of a day in which a value must be known. With fewer hours, the value of the day is unknown,
 * because a storm may have been in the missing hours.
 */
const MIN_HOURS = 18;

/** WMO codes of freezing drizzle and freezing rain. */
const FREEZING_CODES = new Set([56, 57, 66, 67]);
/** Snow that is assumed for an hour of freezing rain, because no source measures the ice. */
const ICE_CM_PER_HOUR = 0.5;

/**
 * Combines hours into days of the time zone, in ascending order. A day on which the clocks change has 23 or 25 hours.
 * Uses a duplicate hour once. Leaves out days without any known value.
 */
export function dayValues(hours: WeatherHour[], timeZone: string): WeatherDay[] {
  const dateOf = localDate(timeZone);
  const days = Map.groupBy(new Map(hours.map((hour) => [hour.at, hour])).values(), ({ at }) =>
    dateOf(at),
  );
  return [...days.entries()]
    .map(([date, dayHours]) => dayOf(date, dayHours))
    .filter((day) => Object.keys(day).length > 1)
    .toSorted((a, b) => a.date.localeCompare(b.date));
}

function dayOf(date: string, hours: WeatherHour[]): WeatherDay {
  const day = {
    date,
    tempMeanC: combineHours(hours, ({ tempC }) => tempC, mean),
    windMaxKmh: combineHours(hours, ({ windKmh }) => windKmh, max),
    gustMaxKmh: combineHours(hours, ({ gustKmh }) => gustKmh, max),
    precipMaxMm: combineHours(hours, ({ precipMm }) => precipMm, max),
    snowfallCm: combineHours(hours, snowOrIce, sum),
    visibilityMinM: combineHours(hours, ({ visibilityM }) => visibilityM, min),
    coldMistHours: combineHours(hours, isColdMist(Number(date.slice(5, 7))), sum),
    weatherCode: combineHours(hours, ({ weatherCode }) => weatherCode, max),
  };
  const knownValues = Object.entries(day).filter(([, value]) => value !== undefined);
  return Object.fromEntries(knownValues) as WeatherDay;
}

function combineHours(
  hours: WeatherHour[],
  pick: (hour: WeatherHour) => number | undefined,
  combine: (values: number[]) => number,
): number | undefined {
  const values = hours.map(pick).filter((value) => value !== undefined);
  // Rounds to two decimals, because no source measures more precisely. For snowfall, this is a tenth of a millimetre.
  return values.length < MIN_HOURS ? undefined : Math.round(combine(values) * 100) / 100;
}

function snowOrIce({ snowfallCm, weatherCode }: WeatherHour): number | undefined {
  const isFreezing = weatherCode !== undefined && FREEZING_CODES.has(weatherCode);
  return isFreezing ? Math.max(snowfallCm ?? 0, ICE_CM_PER_HOUR) : snowfallCm;
}

/** Largest visibility (in metres) of an hour with mist, and highest temperature of an hour with frost. */
const MIST_M = 3_220;
const COLD_C = 1;

/**
 * Returns a function that detects hours with low visibility and frost, which mostly mean heavy snow. The function
 * returns 1 for such an hour, otherwise 0. If the visibility is low but the temperature is unknown, it returns 0.5 in
 * the northern winter. If the visibility is unknown, it returns undefined.
 */
function isColdMist(month: number): (hour: WeatherHour) => number | undefined {
  const isWinter = month === 12 || month <= 3;
  return ({ visibilityM, tempC }) => {
    if (visibilityM === undefined) return undefined;
    if (visibilityM > MIST_M) return 0;
    if (tempC === undefined) return isWinter ? 0.5 : 0;
    return tempC <= COLD_C ? 1 : 0;
  };
}

/** Returns a function that converts an instant to the local date of the time zone. */
function localDate(timeZone: string): (at: number) => string {
  // Swedish dates have the ISO format.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone });
  return (at) => format.format(at);
}

const max = (values: number[]) => Math.max(...values);
const min = (values: number[]) => Math.min(...values);
const mean = (values: number[]) => sum(values) / values.length;
