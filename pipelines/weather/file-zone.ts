import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { WeatherHour } from './types.ts';

/** Each airport's own clock, where an IANA name would be one clock for all. */
export const LOCAL = 'local';
/** What hours are read as where nothing is said. */
export const UTC = 'UTC';

const HOUR_MS = 3_600_000;

/** Whether hours of a file can be told to be of this zone: `local`, an IANA name or an offset such as `-05:00`. */
export function isZone(zone: string): boolean {
  if (zone === LOCAL) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}

/**
 * Hours told by the clock of a time zone, each `at` being that clock's reading as if it were UTC, at the instants they are of.
 * An hour that the clocks go through twice is the earlier one where it is told first; one that they leave out is the next.
 */
export function instants(told: WeatherHour[], timeZone: string): WeatherHour[] {
  if (timeZone === UTC) return told;
  const offset = offsets(timeZone);
  const taken = new Set<number>();
  return told.map((hour) => {
    const before = hour.at - offset(hour.at - DAY_MS);
    const after = hour.at - offset(hour.at + DAY_MS);
    const both = [before, after].filter((at) => at + offset(at) === hour.at);
    const at = both.find((one) => !taken.has(one)) ?? both.at(-1) ?? before;
    taken.add(at);
    return { ...hour, at };
  });
}

/** Milliseconds that a clock of the zone is ahead of UTC at an instant. */
function offsets(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const known = new Map<number, number>();
  return (at) => {
    // Clocks change on the hour, of UTC too, all over the world; quarters of an hour are in the offset alone.
    const hour = Math.floor(at / HOUR_MS);
    const ms = known.get(hour) ?? askedOffset(format, hour * HOUR_MS);
    known.set(hour, ms);
    return ms;
  };
}

function askedOffset(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}
