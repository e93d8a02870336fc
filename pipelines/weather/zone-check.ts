import { dayCycle, type DayCycle, type Station } from './day-cycle.ts';
import { toInstants, LOCAL, UTC } from './file-zone.ts';
import type { WeatherHour, WeatherPlace } from './types.ts';

/** An airport of a file, with its hours as written in the file; their time zone is not yet known. */
export type FileStation = { place: WeatherPlace; clockHours: WeatherHour[] };

/**
 * Usual times of the daily maximum, in hours of solar time. We tried months of real stations. In the months with a
 * clear cycle, temperature peaked between 12.5 and 15.5, and wind between 13.8 and 18.6. Sea and valley breezes shift
 * the maximum by less than four hours; a wrong zone shifts it by four hours or more.
 */
const USUAL_PEAKS = [
  { name: 'temperature', of: ({ tempC }: WeatherHour) => tempC, from: 12, until: 18 },
  { name: 'wind', of: ({ windKmh }: WeatherHour) => windKmh, from: 12.5, until: 19 },
] as const;

type UsualPeak = (typeof USUAL_PEAKS)[number];

/** A file is refused only if its hours contradict the zone by more than this number of standard errors. */
const STANDARD_ERRORS = 3;

/**
 * Explains why the hours of a file cannot be in this zone, and names the zone in which they seem to be. Returns
 * undefined if nothing contradicts the zone, and for a file of only a few days. Uses the daily cycle of temperature,
 * because days are warmest about three hours after noon. Without temperatures, uses wind.
 */
export function zoneContradiction(stations: FileStation[], zone: string = UTC): string | undefined {
  const valueCycle = cycleIn(stations, zone);
  if (valueCycle === undefined || isUsual(valueCycle)) return undefined;
  const otherZones = [UTC, LOCAL].filter((other) => other !== zone);
  const fitting = otherZones.find((other) => {
    const otherCycle = cycleIn(stations, other);
    return otherCycle !== undefined && isUsual(otherCycle);
  });
  const { usual, cycle } = valueCycle;
  return [
    `its hours do not seem to be in ${describeClock(zone)}: ${usual.name} would peak at ${sunTime(cycle.peak)} solar time (${cycle.days} days), not in the afternoon`,
    fitting === undefined
      ? 'name the right zone, for example ZONE=America/New_York or ZONE=-05:00'
      : `they fit ${describeClock(fitting)}: use ZONE=${fitting}`,
    `FORCE=1 loads them as ${describeClock(zone)} anyway`,
  ].join('; ');
}

/** Returns the hours of one airport as instants. */
export function hoursOf({ place, clockHours }: FileStation, zone: string = UTC): WeatherHour[] {
  return toInstants(clockHours, zone === LOCAL ? place.timeZone : zone);
}

type ValueCycle = { usual: UsualPeak; cycle: DayCycle };

/** Returns the daily cycle of the first value with a clear cycle. */
function cycleIn(stations: FileStation[], zone: string): ValueCycle | undefined {
  const stationHours: Station[] = stations.map((one) => ({
    place: one.place,
    hours: hoursOf(one, zone),
  }));
  for (const usual of USUAL_PEAKS) {
    const cycle = dayCycle(stationHours, usual.of);
    if (cycle !== undefined) return { usual, cycle };
  }
  return undefined;
}

function isUsual({ usual, cycle }: ValueCycle): boolean {
  const tolerance = STANDARD_ERRORS * cycle.error;
  return cycle.peak >= usual.from - tolerance && cycle.peak <= usual.until + tolerance;
}

function describeClock(zone: string): string {
  return zone === LOCAL ? "each airport's local time" : zone;
}

/** Formats hours as `10:05`. */
function sunTime(hours: number): string {
  const minutes = Math.round(hours * 60) % 1440;
  return [minutes / 60, minutes % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
}
