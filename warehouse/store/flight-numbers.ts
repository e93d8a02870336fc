import type { Columns } from './arrow.ts';
import { monthAfter1970 } from './record-months.ts';
import type { FlightNumbers, NumberedLeg } from './number-schedule.ts';

/**
 * Returns a function that looks up schedules by flight number. The legs of a number are parsed only when they are
 * looked up.
 */
export function flightNumbersReader(columns: Columns): FlightNumbers {
  const codes = Int32Array.from(columns.numbers('code'));
  const months = Int16Array.from(columns.numbers('month'));
  const { values, offsets } = columns.bytes('legs');
  const newest = months.reduce((latest, month) => Math.max(latest, month), -1);
  return {
    find: (airline, number) => {
      const row = rowOf(codes, numberCode(airline, number));
      if (row === -1) return undefined;
      const text = Buffer.from(values.subarray(offsets[row], offsets[row + 1])).toString('latin1');
      return { month: monthAfter1970(months[row] as number), legs: text.split(',').map(legOf) };
    },
    newestMonth: newest === -1 ? undefined : monthAfter1970(newest),
  };
}

/** Flight numbers have at most four digits. */
const NUMBERS = 10_000;

/** Converts an airline code of two characters and a number to one integer. The integers have the order of the table. */
function numberCode(airline: string, number: number): number {
  return (256 * airline.charCodeAt(0) + airline.charCodeAt(1)) * NUMBERS + number;
}

/** Returns the row of a code in the sorted column; -1 if the column does not have it. */
function rowOf(codes: ArrayLike<number>, code: number): number {
  let [from, until] = [0, codes.length];
  while (from < until) {
    const middle = (from + until) >> 1;
    if ((codes[middle] as number) < code) from = middle + 1;
    else until = middle;
  }
  return codes[from] === code ? from : -1;
}

function legOf(text: string): NumberedLeg {
  const [origin = '', dest = '', carrier = '', dep = '', arr = '', flights] = text.split(' ');
  const [depTime, arrTime] = [timeOf(dep), timeOf(arr)];
  return {
    origin,
    dest,
    carrier,
    ...(depTime !== undefined && { depTime }),
    ...(arrTime !== undefined && { arrTime }),
    flightCount: Number(flights),
  };
}

/** Formats `815` as `08:15`; undefined for `-` (unknown). */
function timeOf(hhmm: string): string | undefined {
  if (hhmm === '-') return undefined;
  const digits = hhmm.padStart(4, '0');
  return `${digits.slice(0, 2)}:${digits.slice(2)}`;
}
