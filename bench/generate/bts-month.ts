import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { corruptLine } from './bad-rows.ts';
import { BTS_HEADER, btsLine } from './line.ts';
import { drawOutcome, drawDelayFactor } from './outcome.ts';
import { readPlaces, type Place } from './places.ts';
import { randomFrom } from './random.ts';
import { readServices, type Service } from './schedule.ts';
import { dayColumns, timetable } from './timetable.ts';

export type BtsMonthOptions = {
  /** `YYYY-MM`. */
  month: string;
  /** Default 600,000, a busy month. */
  rows?: number;
  /** The same seed gives the same bytes. Default 1. */
  seed?: number;
  /** Share of rows with an unusable value. Default 0.0001; above 0.01 the month is refused. */
  badRowRate?: number;
};

export type BtsMonthSummary = {
  month: string;
  rows: number;
  /** Deliberately corrupted rows, included in `rows`. */
  badRows: number;
  /** Sizes of the file and of the CSV in it. */
  bytes: number;
  csvBytes: number;
};

const CHUNK_CHARACTERS = 1 << 20;

/** Returns BTS's name for the CSV inside the zip of a month (`YYYY-MM`). */
export function btsCsvName(month: string): string {
  return `On_Time_Reporting_Carrier_On_Time_Performance_(1987_present)_${month.slice(0, 4)}_${Number(month.slice(5))}.csv`;
}

/**
 * Writes a made-up month of flights in the format of BTS, for tests and measurements. Never publish these flights. If
 * the name ends in `.zip`, writes a zip like those of BTS, otherwise only the CSV. Carriers, routes, hours and delay
 * rates come from the seed, so the month resembles the United States in 2018.
 */
export async function writeBtsMonth(
  file: string,
  options: BtsMonthOptions,
): Promise<BtsMonthSummary> {
  const { month, rows = 600_000 } = options;
  const summary = { month, rows, badRows: 0, bytes: 0, csvBytes: 0 };
  const services = await readServices(Number(month.slice(5)));
  const places = await readPlaces(month);
  const csv = Readable.from(chunks(monthLines(services, places, options, summary), summary));
  await pipeline(file.endsWith('.zip') ? zipCsv(csv, month) : csv, createWriteStream(file));
  summary.bytes = (await stat(file)).size;
  return summary;
}

function* monthLines(
  services: readonly Service[],
  places: Map<string, Place>,
  { month, rows = 600_000, seed = 1, badRowRate = 0.0001 }: BtsMonthOptions,
  summary: BtsMonthSummary,
): Generator<string> {
  const random = randomFrom(`${seed} ${month}`);
  const days = dayColumns(month);
  const network = days.map(() => drawDelayFactor(random, 0.35));
  const airports = new Map(
    [...places.keys()].map((iata) => [iata, days.map(() => drawDelayFactor(random, 0.5))]),
  );
  for (const { flight, service, day } of timetable(random, services, places, days, rows)) {
    const delayFactor = (network[day] ?? 1) * (airports.get(service.origin)?.[day] ?? 1);
    const outcome = drawOutcome(random, service, delayFactor);
    const line = btsLine(flight, outcome);
    if (random.next() < badRowRate) {
      summary.badRows++;
      yield corruptLine(line, flight, random.below(1000));
    } else {
      yield line;
    }
  }
}

/** Joins the header and the lines into chunks, and counts their bytes. */
function* chunks(lines: Iterable<string>, summary: BtsMonthSummary): Generator<Buffer> {
  let text = BTS_HEADER;
  const flush = () => {
    const chunk = Buffer.from(text);
    summary.csvBytes += chunk.length;
    text = '';
    return chunk;
  };
  for (const line of lines) {
    text += line;
    if (text.length >= CHUNK_CHARACTERS) yield flush();
  }
  yield flush();
}

function zipCsv(csv: Readable, month: string): NodeJS.ReadableStream {
  const zip = new ZipFile();
  // The time is fixed, so that the same month gives the same bytes.
  const mtime = new Date('2025-01-01T00:00:00Z');
  const readme = '<html><body>Reporting Carrier On-Time Performance (1987-present)</body></html>\n';
  zip.addBuffer(Buffer.from(readme), 'readme.html', { mtime });
  zip.addReadStream(csv, btsCsvName(month), { mtime });
  csv.once('error', (error) => (zip.outputStream as Readable).destroy(error));
  zip.end();
  return zip.outputStream;
}
