import { CommandError } from '../../errors.ts';

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/;

/** Parses the end of a key: a day (its start in UTC) or a moment in ISO 8601. Throws unless it is in the future. */
export function parseKeyEnd(text: string, now: Date): Date {
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` reads a day that does not exist, such as 02-30, as a day of the next month.
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10));
  if (!isReal) throw new CommandError(`EXPIRES="${text}" is not a day such as 2027-01-01.`);
  if (at <= now.getTime()) throw new CommandError(`EXPIRES=${text} is in the past.`);
  return new Date(at);
}

/** Parses a duration such as `7d`, `12h`, `30m` or `0` into milliseconds. */
export function parseGrace(text: string): number {
  if (text === '0') return 0;
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) {
    throw new CommandError(`GRACE="${text}" is not a time such as 7d, 12h, 30m or 0.`);
  }
  return Number(number) * (UNIT_MS[unit] ?? 0);
}
