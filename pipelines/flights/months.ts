/** A calendar month of flights, `YYYY-MM`. */
export type Month = string;

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;
/** The first month with on-time records of BTS. */
const FIRST_MONTH = '1987-10';
const LAST_MONTH = '2100-12';

/** Whether the text is a month that can have records. */
export function isMonth(text: string): boolean {
  return MONTH.test(text) && text >= FIRST_MONTH && text <= LAST_MONTH;
}

/** Returns every month from the first to the last, including both. Empty if the last month is before the first. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const until = toMonthNumber(last);
  const months: Month[] = [];
  for (let monthNumber = toMonthNumber(first); monthNumber <= until; monthNumber += 1) {
    const number = String((monthNumber % 12) + 1).padStart(2, '0');
    months.push(`${Math.floor(monthNumber / 12)}-${number}`);
  }
  return months;
}

/**
 * BTS's tables of flights. The marketing-carrier table begins in 2018. Only this table has the airline on the ticket,
 * and the flights of operators that do not report by themselves.
 */
export const BTS_TABLES = ['marketing', 'reporting'] as const;
export type BtsTable = (typeof BTS_TABLES)[number];

const FIRST_MARKETING_MONTH = '2018-01';

/**
 * Returns BTS's name for the file of a month; the month number has no leading zero. Before 2018, returns the name in
 * the reporting-carrier table, because the marketing-carrier table has no such months.
 */
export function btsFileName(month: Month, table: BtsTable = 'marketing'): string {
  const { year, number } = partsOf(month);
  const isMarketing = table === 'marketing' && month >= FIRST_MARKETING_MONTH;
  const name = isMarketing
    ? 'On_Time_Marketing_Carrier_On_Time_Performance_Beginning_January_2018'
    : 'On_Time_Reporting_Carrier_On_Time_Performance_1987_present';
  return `${name}_${year}_${number}.zip`;
}

/** Whether a file name contains the month as 2025-03, 2025_03 or 2025_3, with no digit directly before or after. */
export function containsMonth(fileName: string, month: Month): boolean {
  const { year, number } = partsOf(month);
  const padded = String(number).padStart(2, '0');
  return new RegExp(`(?<!\\d)${year}(?:[-_]${padded}|_${number})(?!\\d)`).test(fileName);
}

function toMonthNumber(month: Month): number {
  const { year, number } = partsOf(month);
  return year * 12 + number - 1;
}

function partsOf(month: Month): { year: number; number: number } {
  const [year, number] = month.split('-');
  return { year: Number(year), number: Number(number) };
}
