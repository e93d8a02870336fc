/** Words and figures as people of a place write them; the same on the server and in the browser. */

import { keptBy } from './kept.ts';

const numbers = keptBy(
  (locale: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
const dates = keptBy(
  (locale: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

/** `6,130`, with at most so many decimals. */
export function figure(value: number, locale: string, decimals = 0): string {
  return numbers(locale, { maximumFractionDigits: decimals }).format(value);
}

/** `+4.2`, `−1.5`: with its sign, and always so many decimals. */
export function signed(value: number, locale: string, decimals = 1): string {
  const text = numbers(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'exceptZero',
  }).format(value);
  return text.replace('-', '−');
}

/** `11.6%` of a share of 0 to 1. */
export function percent(share: number, locale: string, decimals = 1): string {
  return numbers(locale, {
    style: 'percent',
    maximumFractionDigits: decimals,
  }).format(share);
}

/** `Mon 21 Dec 2026` of a date `YYYY-MM-DD`, in the order of the place. */
export function day(date: string, locale: string, style: 'full' | 'short' = 'full'): string {
  return dates(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(style === 'full' && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(date));
}

/** `December 2026` of a month `YYYY-MM`. */
export function month(name: string, locale: string, style: 'long' | 'short' = 'long'): string {
  return dates(locale, { month: style, year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${name}-01`),
  );
}

/** `18:00` or `6 PM` of an hour of 0 to 23. */
export const hour = keptBy((hour: number, locale: string): string => {
  const { hourCycle } = dates(locale, { hour: 'numeric' }).resolvedOptions();
  const isTwentyFour = hourCycle === 'h23' || hourCycle === 'h24';
  return dates(locale, {
    hour: isTwentyFour ? '2-digit' : 'numeric',
    ...(isTwentyFour && { minute: '2-digit' }),
    timeZone: 'UTC',
  }).format(new Date(hour * 3_600_000));
});

/** `18:30` or `6:30 PM` of a time `HH:MM`. */
export function clock(time: string, locale: string): string {
  return dates(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    new Date(`1970-01-01T${time}Z`),
  );
}

/** A month or a weekday, as in the head of a table and as in a sentence. */
export type CalendarName = { name: string; full: string };

/** Of 0 (January) to 11. */
export const monthName = keptBy((at: number, locale: string): CalendarName => {
  const date = new Date(Date.UTC(2026, at, 15));
  const of = (month: 'short' | 'long') => dates(locale, { month, timeZone: 'UTC' }).format(date);
  return { name: of('short'), full: of('long') };
});

/** Of 0 (Monday) to 6, and on from there. */
export const weekdayName = keptBy((at: number, locale: string): CalendarName => {
  // 5 January 1970 was a Monday.
  const date = new Date(Date.UTC(1970, 0, 5 + at));
  const of = (weekday: 'short' | 'long') =>
    dates(locale, { weekday, timeZone: 'UTC' }).format(date);
  return { name: of('short'), full: of('long') };
});

/** 0 (Monday) to 6: what weeks begin with at the place; Monday where the browser does not say. */
export const firstWeekday = keptBy((locale: string): number => {
  const { getWeekInfo } = Intl.Locale.prototype as { getWeekInfo?: () => { firstDay: number } };
  return (getWeekInfo?.call(new Intl.Locale(locale)).firstDay ?? 1) - 1;
});

/** How long ago so many minutes are: `12 minutes ago`, `3 hours ago`. */
export function ago(minutes: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (minutes < 90) return format.format(-minutes, 'minute');
  if (minutes < 48 * 60) return format.format(-Math.round(minutes / 60), 'hour');
  return format.format(-Math.round(minutes / 1440), 'day');
}

/** Whether the place measures in miles and degrees Fahrenheit. */
const isImperial = keptBy(
  (locale: string): boolean => new Intl.Locale(locale).maximize().region === 'US',
);

/** `21 °C`, or `70 °F`. */
export function temperature(celsius: number, locale: string): string {
  return isImperial(locale)
    ? `${figure(celsius * 1.8 + 32, locale)} °F`
    : `${figure(celsius, locale)} °C`;
}

/** `24 km/h`, or `15 mph`. */
export function speed(kmh: number, locale: string): string {
  return isImperial(locale)
    ? `${figure(kmh / 1.609344, locale)} mph`
    : `${figure(kmh, locale)} km/h`;
}

/** `1.2 mm`, or `0.05 in`. */
export function rain(mm: number, locale: string): string {
  return isImperial(locale) ? `${figure(mm / 25.4, locale, 2)} in` : `${figure(mm, locale, 1)} mm`;
}

/** `3,983 km`, or `2,475 miles`. */
export function distance(km: number, locale: string): string {
  return isImperial(locale) ? `${figure(km / 1.609344, locale)} miles` : `${figure(km, locale)} km`;
}
