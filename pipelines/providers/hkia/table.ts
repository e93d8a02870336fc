import { SourceFormatError } from '../../../warehouse/errors.ts';
import type { JsonTable } from '../../../warehouse/extract/json-table.ts';

type Flight = {
  time: string;
  flight: { no: string; airline: string }[];
  origin?: string[];
  destination?: string[];
  /** Null if the airport does not know the value yet. */
  status: string | null;
};
type Day = { date: string; arrival: boolean; cargo: boolean; list?: unknown };

/** Columns that every file of the table has. The table has one row per flight of an answer. */
export const HKIA_COLUMNS = [
  'hkia_date',
  'hkia_direction',
  'hkia_cargo',
  'hkia_time',
  'hkia_airline',
  'hkia_number',
  'hkia_airport',
  'hkia_status',
] as const;

/** The numbers of airlines that only sell the flight, separated by commas. */
export const HKIA_CODESHARES = 'hkia_codeshares';

/**
 * Converts Hong Kong's answers to a table. An answer is a list of days. A file of the collector has an object instead,
 * with this list in `body`. A flight has one or more numbers: the first one belongs to the operating airline, and the
 * others are codeshares.
 */
export const HKIA_TABLE: JsonTable = {
  header: [...HKIA_COLUMNS, HKIA_CODESHARES],
  rowsOf: (answer) => {
    const body = isObject(answer) && 'body' in answer ? answer.body : answer;
    if (!Array.isArray(body) || !body.every((day) => isObject(day) && 'arrival' in day)) {
      return undefined;
    }
    return body.flatMap((day) => toRows(day as Day));
  },
};

function toRows(day: Day): string[][] {
  if (!Array.isArray(day.list)) throw layoutError(day);
  return day.list.map((entry: unknown) => {
    if (!isObject(entry)) throw layoutError(entry);
    return toRow(day, entry as Flight);
  });
}

function toRow({ date, arrival, cargo }: Day, entry: Flight): string[] {
  const places = arrival ? entry.origin : entry.destination;
  const [operating, ...codeshares] = Array.isArray(entry.flight) ? entry.flight : [];
  const isKnownLayout =
    /^\d{4}-\d\d-\d\d$/.test(date) &&
    typeof entry.time === 'string' &&
    (typeof entry.status === 'string' || entry.status === null) &&
    typeof operating?.no === 'string' &&
    typeof operating.airline === 'string' &&
    Array.isArray(places);
  if (!isKnownLayout) throw layoutError(entry);
  // If there are several airports, the airport next to Hong Kong is the last one for arrivals and the first one for
  // departures.
  const place = arrival ? places.at(-1) : places[0];
  return [
    date,
    arrival ? 'arrival' : 'departure',
    cargo ? '1' : '0',
    entry.time,
    operating.airline,
    operating.no,
    place ?? '',
    entry.status ?? '',
    codeshares.map(({ no }) => no).join(','),
  ];
}

function layoutError(part: unknown): SourceFormatError {
  const seen = JSON.stringify(part).slice(0, 200);
  return new SourceFormatError('hkia', `the layout of the answer has changed: ${seen}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
