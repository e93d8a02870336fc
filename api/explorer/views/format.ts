/** Formats figures, dates and units in the visitor's locale. Server and browser give the same results. */
import { monthsBetween } from '../../../warehouse/ground/dates.ts';

const numbers = memoize(
  (locale: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
const dates = memoize(
  (locale: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

/** Formats `6,130`. `decimals` is the maximum number of decimals. */
export function figure(value: number, locale: string, decimals = 0): string {
  return numbers(locale, { maximumFractionDigits: decimals }).format(value);
}

/** Formats `+4.2` or `−1.5`, always with `decimals` decimals. */
export function signedFigure(value: number, locale: string, decimals = 1): string {
  const text = numbers(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'exceptZero',
  }).format(value);
  return text.replace('-', '−');
}

/** Formats a number of bytes as `512 byte`, `8.4 kB` or `1.2 MB`. */
export function fileSize(bytes: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const options = { style: 'unit', unit: units[at] ?? 'byte', maximumFractionDigits: 1 } as const;
  return numbers(locale, options).format(bytes / 1000 ** at);
}

/** Formats a share from 0 to 1 as `11.6%`. */
export function percent(share: number, locale: string, decimals = 1): string {
  return numbers(locale, {
    style: 'percent',
    maximumFractionDigits: decimals,
  }).format(share);
}

/** Formats `1 flight` or `6,130 flights`. */
export function flightCount(flights: number, locale: string): string {
  return `${figure(flights, locale)} ${flights === 1 ? 'flight' : 'flights'}`;
}

/** Formats a date `YYYY-MM-DD` as `Mon 21 Dec 2026`. The locale decides the order. */
export function day(date: string, locale: string, style: 'full' | 'short' = 'full'): string {
  return dates(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(style === 'full' && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(date));
}

/** Formats a month `YYYY-MM` as `December 2026`. */
export function month(name: string, locale: string, style: 'long' | 'short' = 'long'): string {
  return dates(locale, { month: style, year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${name}-01`),
  );
}

/** Formats an hour from 0 to 23 as `18:00` or `6 PM`. */
export const hour = memoize((hour: number, locale: string): string => {
  const { hourCycle } = dates(locale, { hour: 'numeric' }).resolvedOptions();
  const isTwentyFour = hourCycle === 'h23' || hourCycle === 'h24';
  return dates(locale, {
    hour: isTwentyFour ? '2-digit' : 'numeric',
    ...(isTwentyFour && { minute: '2-digit' }),
    timeZone: 'UTC',
  }).format(new Date(hour * 3_600_000));
});

/** Formats a time `HH:MM` as `18:30` or `6:30 PM`. */
export function clock(time: string, locale: string): string {
  return dates(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    new Date(`1970-01-01T${time}Z`),
  );
}

/** Name of a month or weekday: `name` is short, for headings; `full` is for sentences. */
export type CalendarName = { name: string; full: string };

/** Names a month from 0 (January) to 11. */
export const monthName = memoize((at: number, locale: string): CalendarName => {
  const date = new Date(Date.UTC(2026, at, 15));
  const nameIn = (month: 'short' | 'long') =>
    dates(locale, { month, timeZone: 'UTC' }).format(date);
  return { name: nameIn('short'), full: nameIn('long') };
});

/** Names a weekday. Both 0 and 7 are Monday. */
export const weekdayName = memoize((at: number, locale: string): CalendarName => {
  // 5 January 1970 was a Monday.
  const date = new Date(Date.UTC(1970, 0, 5 + at));
  const nameIn = (weekday: 'short' | 'long') =>
    dates(locale, { weekday, timeZone: 'UTC' }).format(date);
  return { name: nameIn('short'), full: nameIn('long') };
});

/**
 * Returns the locale's first day of the week: 0 (Monday) to 6. Returns Monday if the browser lacks this information.
 */
export const firstWeekday = memoize((locale: string): number => {
  const { getWeekInfo } = Intl.Locale.prototype as { getWeekInfo?: () => { firstDay: number } };
  return (getWeekInfo?.call(new Intl.Locale(locale)).firstDay ?? 1) - 1;
});

/** Formats an age in minutes as `12 minutes ago` or `3 hours ago`. */
export function timeAgo(minutes: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (minutes < 90) return format.format(-minutes, 'minute');
  if (minutes < 48 * 60) return format.format(-Math.round(minutes / 60), 'hour');
  return format.format(-Math.round(minutes / 1440), 'day');
}

/** Formats the time from a month `YYYY-MM` to a date `YYYY-MM-DD` as `2 months ago` or, from two years, `6 years ago`. */
export function monthsAgo(name: string, date: string, locale: string): string {
  const months = monthsBetween(name, date);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return months < 24
    ? format.format(-months, 'month')
    : format.format(-Math.floor(months / 12), 'year');
}

/** Formats `34 of the 88 months from January 2018 to April 2025`, or without the second number if no month is missing. */
export function spanText(
  { first, last, months }: { first: string; last: string; months: number },
  locale: string,
  style: 'long' | 'short' = 'long',
): string {
  if (first === '' || last === '') return 'empty';
  if (first === last) return month(first, locale, style);
  const all = monthsBetween(first, last) + 1;
  const count =
    months === all
      ? figure(all, locale)
      : `${figure(months, locale)} of the ${figure(all, locale)}`;
  return `${count} months from ${month(first, locale, style)} to ${month(last, locale, style)}`;
}

/** Returns whether the locale uses miles and degrees Fahrenheit. */
const isImperial = memoize(
  (locale: string): boolean => new Intl.Locale(locale).maximize().region === 'US',
);

/** Formats `21 °C` or `70 °F`. */
export function temperature(celsius: number, locale: string): string {
  return isImperial(locale)
    ? `${figure(celsius * 1.8 + 32, locale)} °F`
    : `${figure(celsius, locale)} °C`;
}

/** Formats `24 km/h` or `15 mph`. */
export function speed(kmh: number, locale: string): string {
  return isImperial(locale)
    ? `${figure(kmh / 1.609344, locale)} mph`
    : `${figure(kmh, locale)} km/h`;
}

/** Formats `1.2 mm` or `0.05 in`. */
export function rain(mm: number, locale: string): string {
  return isImperial(locale) ? `${figure(mm / 25.4, locale, 2)} in` : `${figure(mm, locale, 1)} mm`;
}

/** Formats `3,983 km` or `2,475 miles`. */
export function distance(km: number, locale: string): string {
  return isImperial(locale) ? `${figure(km / 1.609344, locale)} miles` : `${figure(km, locale)} km`;
}

/** Maximum number of cached values. Visitors can send any locale, so the cache needs a limit. */
const MAX_ENTRIES = 400;

/** Caches the results of a function. Creating an `Intl` formatter takes a hundred times as long as using it. */
function memoize<Args extends readonly unknown[], Value>(
  make: (...args: Args) => Value,
): (...args: Args) => Value {
  const cache = new Map<string, Value>();
  return (...args) => {
    const key = JSON.stringify(args);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    if (cache.size >= MAX_ENTRIES) cache.clear();
    const value = make(...args);
    cache.set(key, value);
    return value;
  };
}

/** Formats thousandths as a percentage. */
export function shareText(thousandths: number | null, locale: string): string {
  return thousandths === null ? 'no flights' : percent(thousandths / 1000, locale);
}
