/** A month or a year. The counts of a year are stored under its December. */
export type Period = {
  /** `YYYY-MM`. */
  month: string;
  /** 12 if the counts are those of the whole year. */
  periodMonths?: 12 | undefined;
  /** Name of the provider; absent for the American record. */
  provider?: string | undefined;
};

/** Formats a period with its provider: `2025-03`, `caa 2024-01`, or `caa 2019` for the counts of a year. */
export function periodText({ provider, ...period }: Period): string {
  const text = datesText(period);
  return provider === undefined ? text : `${provider} ${text}`;
}

/** Formats a period without its provider: `2024-01`, or `2019` for the counts of a year. */
export function datesText({ month, periodMonths }: Omit<Period, 'provider'>): string {
  return periodMonths === 12 ? month.slice(0, 4) : month;
}

/** Lists the months that a period covers. */
export function monthsOfPeriod({ month, periodMonths }: Omit<Period, 'provider'>): string[] {
  if (periodMonths !== 12) return [month];
  const year = month.slice(0, 4);
  return Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`);
}
