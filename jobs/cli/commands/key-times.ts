import { CommandError } from '../../errors.ts';

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/;

/** The moment a key is to end: the beginning of a day in UTC, or a moment in ISO 8601; in the future. */
export function endOf(text: string, now: Date): Date {
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  // A day that does not exist is read as one of the next month.
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10));
  if (!isReal) throw new CommandError(`"${text}" is no day such as 2027-01-01.`);
  if (at <= now.getTime()) throw new CommandError(`${text} is past.`);
  return new Date(at);
}

/** How long a time such as `7d`, `12h`, `30m` or `0` is, in ms. */
export function graceOf(text: string): number {
  if (text === '0') return 0;
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) {
    throw new CommandError(`GRACE is a time such as 7d, 12h or 30m, or 0 for none; not "${text}".`);
  }
  return Number(number) * (UNIT_MS[unit] ?? 0);
}
