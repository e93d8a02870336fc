import { dayCycle, type DayCycle, type Station } from './day-cycle.ts';
import { instants, LOCAL, UTC } from './file-zone.ts';
import type { WeatherHour, WeatherPlace } from './types.ts';

/** An airport of a file and its hours as told there, by a clock yet to be known. */
export type ToldStation = { place: WeatherPlace; told: WeatherHour[] };

/**
 * When a value may be highest, in hours by the sun. In the clear months of the real stations we tried temperature was between 12.5
 * and 15.5, wind between 13.8 and 18.6: sea and valley breezes move it, not by the four hours and more that a wrong clock does.
 */
const USUAL = [
  { name: 'temperature', of: ({ tempC }: WeatherHour) => tempC, from: 12, until: 18 },
  { name: 'wind', of: ({ windKmh }: WeatherHour) => windKmh, from: 12.5, until: 19 },
] as const;

type Usual = (typeof USUAL)[number];

/** How sure we are before a file is refused, in standard errors. */
const ERRORS = 3;

/**
 * Why the hours of a file cannot be of this zone, and which they seem to be of; undefined while nothing speaks against it, as in a
 * file of a few days. The sun says so: every day is warmest some three hours after noon. Where temperatures are not told, the wind.
 */
export function zoneContradiction(stations: ToldStation[], zone: string = UTC): string | undefined {
  const found = cycleIn(stations, zone);
  if (found === undefined || isUsual(found)) return undefined;
  const others = [UTC, LOCAL].filter((other) => other !== zone);
  const fitting = others.find((other) => {
    const there = cycleIn(stations, other);
    return there !== undefined && isUsual(there);
  });
  const { usual, cycle } = found;
  return [
    `its hours are hardly ${clockOf(zone)}: ${usual.name} would be highest at ${sunTime(cycle.peak)} by the sun (${cycle.days} days), not in the afternoon`,
    fitting === undefined
      ? 'say which they are of: ZONE=America/New_York, ZONE=-05:00'
      : `they fit ${clockOf(fitting)}: ZONE=${fitting}`,
    `FORCE=1 takes them as ${clockOf(zone)} all the same`,
  ].join('; ');
}

/** The hours of one airport at their instants. */
export function hoursOf({ place, told }: ToldStation, zone: string = UTC): WeatherHour[] {
  return instants(told, zone === LOCAL ? place.timeZone : zone);
}

type Found = { usual: Usual; cycle: DayCycle };

/** The daily cycle of the first value that has one. */
function cycleIn(stations: ToldStation[], zone: string): Found | undefined {
  const read: Station[] = stations.map((one) => ({ place: one.place, hours: hoursOf(one, zone) }));
  for (const usual of USUAL) {
    const cycle = dayCycle(read, usual.of);
    if (cycle !== undefined) return { usual, cycle };
  }
  return undefined;
}

function isUsual({ usual, cycle }: Found): boolean {
  const slack = ERRORS * cycle.error;
  return cycle.peak >= usual.from - slack && cycle.peak <= usual.until + slack;
}

function clockOf(zone: string): string {
  return zone === LOCAL ? "by each airport's own clock" : zone;
}

/** `10:05`. */
function sunTime(hours: number): string {
  const minutes = Math.round(hours * 60) % 1440;
  return [minutes / 60, minutes % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
}
