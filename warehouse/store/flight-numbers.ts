import type { Columns } from './arrow.ts';
import { monthAfter1970 } from './record-months.ts';
import type { FlightNumbers, NumberedFlight, NumberedLeg } from './number-schedule.ts';

/**
 * Returns a function that looks up schedules by flight number. The legs of a number are parsed only when they are
 * looked up.
 */
export function flightNumbersReader(columns: Columns): FlightNumbers {
  const codes = Int32Array.from(columns.numbers('code'));
  const months = Int16Array.from(columns.numbers('month'));
  const { values, offsets } = columns.bytes('legs');
  const newest = months.reduce((latest, month) => Math.max(latest, month), -1);
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const legsAt = (row: number) =>
    bytes
      .toString('latin1', offsets[row], offsets[row + 1])
      .split(',')
      .map(legOf);
  return {
    find: (airline, number) => {
      const row = rowOf(codes, numberCode(airline, number));
      if (row === -1) return undefined;
      return { month: monthAfter1970(months[row] as number), legs: legsAt(row) };
    },
    onRoute: (airline, origin, dest) => {
      const first = numberCode(airline, 0);
      const [from, until] = [rowFrom(codes, first), rowFrom(codes, first + NUMBERS)];
      const route = `${origin} ${dest} `;
      const found: NumberedFlight[] = [];
      // Searching the bytes of the airline's legs is much faster than parsing all of them.
      for (let row = from; row < until;) {
        const at = bytes.indexOf(route, offsets[row], 'latin1');
        if (at === -1 || at >= (offsets[until] as number)) break;
        row = rowFrom(offsets, at + 1) - 1;
        if (months[row] === newest) {
          const legs = legsAt(row).filter((leg) => leg.origin === origin && leg.dest === dest);
          const number = (codes[row] as number) - first;
          found.push(...legs.map((leg) => ({ ...leg, number })));
        }
        row += 1;
      }
      return found;
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
  const row = rowFrom(codes, code);
  return codes[row] === code ? row : -1;
}

/** Returns the first row of the sorted column whose value is at least `code`. */
function rowFrom(codes: ArrayLike<number>, code: number): number {
  let [from, until] = [0, codes.length];
  while (from < until) {
    const middle = (from + until) >> 1;
    if ((codes[middle] as number) < code) from = middle + 1;
    else until = middle;
  }
  return from;
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
