/** A calendar month of flights, `YYYY-MM`. */
export type Month = string;

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;
/** BTS keeps on-time records from this month on. */
const FIRST_MONTH = '1987-10';
const LAST_MONTH = '2100-12';

/** Whether the text is a month there can be records of. */
export function isMonth(text: string): boolean {
  return MONTH.test(text) && text >= FIRST_MONTH && text <= LAST_MONTH;
}

/** Every month from the first to the last, both included; none when they are in the wrong order. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const until = ordinal(last);
  const months: Month[] = [];
  for (let at = ordinal(first); at <= until; at += 1) {
    const number = String((at % 12) + 1).padStart(2, '0');
    months.push(`${Math.floor(at / 12)}-${number}`);
  }
  return months;
}

/** What BTS calls the file of a month; its months have no leading zero. */
export function btsFileName(month: Month): string {
  const { year, number } = partsOf(month);
  return `On_Time_Reporting_Carrier_On_Time_Performance_1987_present_${year}_${number}.zip`;
}

/** Whether a file name holds the month as 2025-03, 2025_03 or 2025_3, with no digit beside it. */
export function namesMonth(fileName: string, month: Month): boolean {
  const { year, number } = partsOf(month);
  const padded = String(number).padStart(2, '0');
  return new RegExp(`(?<!\\d)${year}(?:[-_]${padded}|_${number})(?!\\d)`).test(fileName);
}

function ordinal(month: Month): number {
  const { year, number } = partsOf(month);
  return year * 12 + number - 1;
}

function partsOf(month: Month): { year: number; number: number } {
  const [year, number] = month.split('-');
  return { year: Number(year), number: Number(number) };
}
