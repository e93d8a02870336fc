import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { WeatherHour } from './types.ts';

/**
 * Value of `ZONE` if the hours of each airport are in its local time. An IANA name instead means one zone for all
 * airports.
 */
export const LOCAL = 'local';
/** The default zone of a file's hours. */
export const UTC = 'UTC';

const QUARTER_MS = 900_000;

/** Whether this is a valid zone for the hours of a file: `local`, an IANA name or an offset such as `-05:00`. */
export function isZone(zone: string): boolean {
  if (zone === LOCAL) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}

/**
 * Converts hours from local time to instants. In the input, `at` is the local time as if it were UTC. When clocks go
 * back, a local time occurs twice. The first one in the file becomes the earlier instant, and the second one becomes
 * the later instant. When clocks go forward, a skipped local time becomes the next hour.
 */
export function toInstants(hours: WeatherHour[], timeZone: string): WeatherHour[] {
  if (timeZone === UTC) return hours;
  const offset = createOffsetLookup(timeZone);
  const usedInstants = new Set<number>();
  return hours.map((hour) => {
    const before = hour.at - offset(hour.at - DAY_MS);
    const after = hour.at - offset(hour.at + DAY_MS);
    const candidates = [before, after].filter((at) => at + offset(at) === hour.at);
    const at = candidates.find((one) => !usedInstants.has(one)) ?? candidates.at(-1) ?? before;
    usedInstants.add(at);
    return { ...hour, at };
  });
}

/** Returns a function giving the milliseconds by which the zone is ahead of UTC at an instant. */
function createOffsetLookup(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const cache = new Map<number, number>();
  return (at) => {
    // Caches one offset for each quarter of an hour. In Adelaide, for example, clocks change at 16:30 UTC.
    const quarter = Math.floor(at / QUARTER_MS);
    const ms = cache.get(quarter) ?? computeOffset(format, quarter * QUARTER_MS);
    cache.set(quarter, ms);
    return ms;
  };
}

function computeOffset(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}
