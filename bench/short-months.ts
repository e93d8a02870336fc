import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { randomFrom } from './generate/random.ts';

const COLUMNS =
  'FL_DATE,OP_UNIQUE_CARRIER,TAIL_NUM,OP_CARRIER_FL_NUM,ORIGIN,DEST,CRS_DEP_TIME,DEP_TIME,DEP_DELAY,' +
  'CRS_ARR_TIME,ARR_TIME,ARR_DELAY,CANCELLED,CANCELLATION_CODE,DIVERTED,DISTANCE\n';
const AIRPORTS = [
  'ATL',
  'ORD',
  'DFW',
  'DEN',
  'LAX',
  'SFO',
  'SEA',
  'JFK',
  'BOS',
  'MCO',
  'PHX',
  'CLT',
];
const CARRIERS = ['AA', 'DL', 'UA', 'WN', 'B6', 'AS'];
const ROWS_AT_ONCE = 5_000;

/**
 * Writes made-up flights of a month in the short format of BTS. The same month always gives the same bytes. Returns the
 * path of the file.
 */
export async function writeShortMonth(
  folder: string,
  month: string,
  rows: number,
): Promise<string> {
  const file = path.join(folder, `flights-${month}.csv`);
  await pipeline(Readable.from(chunks(month, rows)), createWriteStream(file));
  return file;
}

function* chunks(month: string, rows: number): Generator<string> {
  const random = randomFrom(month);
  yield COLUMNS;
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const length = Math.min(ROWS_AT_ONCE, rows - from);
    yield Array.from({ length }, () => line(month, random)).join('');
  }
}

function line(month: string, random: ReturnType<typeof randomFrom>): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const from = random.below(AIRPORTS.length);
  const to = (from + 1 + random.below(AIRPORTS.length - 1)) % AIRPORTS.length;
  const [date, hour] = [
    `${month}-${twoDigits(1 + random.below(28))}`,
    twoDigits(5 + random.below(17)),
  ];
  const carrier = CARRIERS[random.below(CARRIERS.length)];
  const delay = random.below(90) - 20;
  const flight = `${carrier},N${random.below(900)}HW,${random.below(4_000)}`;
  const times = `${hour}10,${hour}15,5.00,${hour}55,${hour}58,${delay}.00`;
  return `${date},${flight},${AIRPORTS[from]},${AIRPORTS[to]},${times},0.00,,0.00,800.00\n`;
}
