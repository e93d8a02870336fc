/** Words and figures as people of a place write them; the same on the server and in the browser. */

const DAY_MS = 86_400_000;

/** Making a format takes a hundred times as long as using it, and a page uses a handful of them hundreds of times. */
const [numbers, dates] = [
  keptBy((locale, options) => new Intl.NumberFormat(locale, options as Intl.NumberFormatOptions)),
  keptBy(
    (locale, options) => new Intl.DateTimeFormat(locale, options as Intl.DateTimeFormatOptions),
  ),
];

/** Languages come from visitors: more formats than these are not kept. */
const KEPT = 200;

function keptBy<Format>(make: (locale: string, options: object) => Format) {
  const kept = new Map<string, Format>();
  return (locale: string, options: object): Format => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= KEPT) kept.clear();
    const format = make(locale, options);
    kept.set(key, format);
    return format;
  };
}

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
export function hour(hour: number, locale: string): string {
  return dates(locale, {
    hour: isTwentyFour(locale) ? '2-digit' : 'numeric',
    ...(isTwentyFour(locale) && { minute: '2-digit' }),
    timeZone: 'UTC',
  }).format(new Date(hour * 3_600_000));
}

function isTwentyFour(locale: string): boolean {
  const { hourCycle } = dates(locale, { hour: 'numeric' }).resolvedOptions();
  return hourCycle === 'h23' || hourCycle === 'h24';
}

/** The date so many days later. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Whole days from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** How long ago so many minutes are: `12 minutes ago`, `3 hours ago`. */
export function ago(minutes: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (minutes < 90) return format.format(-minutes, 'minute');
  if (minutes < 48 * 60) return format.format(-Math.round(minutes / 60), 'hour');
  return format.format(-Math.round(minutes / 1440), 'day');
}

/** Whether the place measures in miles and degrees Fahrenheit. */
function isImperial(locale: string): boolean {
  return new Intl.Locale(locale).maximize().region === 'US';
}

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
