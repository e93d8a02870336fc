import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { NasProgram } from '../../warehouse/live/nas.ts';
import { SourceFormatError } from '../../warehouse/errors.ts';

/**
 * Limits on the size of a status. The longest notice that we have seen has 200 characters, and no day had a hundred
 * measures.
 */
const MAX_CHARS = 2_000;
const MAX_ENTRIES = 1_000;

/** Largest difference between the time in a status and the clock of this machine. */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000;

const text = z.string().max(MAX_CHARS);
const baseFields = { ARPT: text, Reason: text.default('') };
/** Accepts a list, or a single item in place of a list. Both the XML and the JSON form may have a single item. */
const oneOrMore = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).max(MAX_ENTRIES), item.transform((single) => [single])]);
const list = <T extends z.ZodType>(name: string, item: T) =>
  z.union([z.object({ [name]: oneOrMore(item) }), z.literal('')]).optional();
const delay = z.object({ Type: text, Max: text });

const answer = z.object({
  AIRPORT_STATUS_INFORMATION: z.object({
    Update_Time: text.default(''),
    Delay_type: oneOrMore(
      z.object({
        Ground_Stop_List: list('Program', z.object(baseFields)),
        Ground_Delay_List: list('Ground_Delay', z.object({ ...baseFields, Avg: text })),
        Arrival_Departure_Delay_List: list(
          'Delay',
          z.object({ ...baseFields, Arrival_Departure: oneOrMore(delay) }),
        ),
        Airport_Closure_List: list('Airport', z.object(baseFields)),
      }),
    ).default([]),
  }),
});

/** Converts XML to the structure of the JSON form: attributes become fields like elements, and all values are text. */
const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  processEntities: false,
  parseTagValue: false,
});

const GROUND_STOP = 0.8;
const CLOSURE = 0.9;
/**
 * A delay of this many minutes or more has severity `MAX_DELAY_SEVERITY`. The severity of shorter delays is
 * proportional.
 */
const LONG_DELAY_MIN = 120;
const MAX_DELAY_SEVERITY = 0.8;

/** Whether a status has the older form: JSON with the names of the XML. */
export function isJson(text: string): boolean {
  return /^\s*\{/.test(text);
}

/**
 * Parses the measures in force now, from XML or JSON. Throws `SourceFormatError` if the text is not the FAA's airport
 * status.
 */
export function parseNasStatus(source: string, text: string, now: Date): NasProgram[] {
  let result;
  try {
    result = answer.safeParse(isJson(text) ? JSON.parse(text.trim()) : xml.parse(text));
  } catch (error) {
    throw new SourceFormatError(source, 'is neither XML nor JSON', { cause: error });
  }
  if (!result.success) throw new SourceFormatError(source, 'is not an FAA airport status');
  const { Update_Time, Delay_type } = result.data.AIRPORT_STATUS_INFORMATION;
  // Accepts a status whose time cannot be read (NaN).
  if (Math.abs(now.getTime() - Date.parse(Update_Time)) > MAX_CLOCK_DIFFERENCE_MS) {
    throw new SourceFormatError(source, `is not current: it is from ${Update_Time}`);
  }
  return Delay_type.flatMap((type) => [
    ...entries(type.Ground_Stop_List).map((each) => programOf(each, 'stop', GROUND_STOP)),
    ...entries(type.Ground_Delay_List).map((each) =>
      programOf(each, 'delay', severityOf(each.Avg)),
    ),
    ...entries(type.Arrival_Departure_Delay_List).flatMap((each) =>
      each.Arrival_Departure.map(({ Type, Max }) =>
        programOf(each, Type === 'Departure' ? 'departures' : 'arrivals', severityOf(Max)),
      ),
    ),
    ...entries(type.Airport_Closure_List)
      .filter(({ Reason }) => closesToAirlines(Reason, now))
      .map((each) => programOf(each, 'closure', CLOSURE)),
  ]).filter(({ severity }) => severity > 0);
}

function entries<T>(list: Record<string, T[]> | '' | undefined): T[] {
  return list === '' || list === undefined ? [] : Object.values(list).flat();
}

function programOf(
  { ARPT, Reason }: { ARPT: string; Reason: string },
  kind: NasProgram['kind'],
  severity: number,
): NasProgram {
  return { airport: ARPT, kind, severity, reason: Reason.slice(0, 200) };
}

/** Converts a duration such as "1 hour and 40 minutes" to a severity; 0 for text without a duration. */
function severityOf(duration: string): number {
  const part = (unit: string) => Number(new RegExp(`(\\d+) ${unit}`).exec(duration)?.[1] ?? 0);
  const minutes = 60 * part('hour') + part('minute');
  return Math.round(100 * MAX_DELAY_SEVERITY * Math.min(1, minutes / LONG_DELAY_MIN)) / 100;
}

/**
 * Whether a notice closes the airport to airlines now. False for most notices: they close it only to some aircraft, or
 * every night at hours without scheduled flights.
 */
function closesToAirlines(notice: string, now: Date): boolean {
  if (!/\bCLSD\b/.test(notice) || /\bCLSD (TO|EXC)\b|\bDLY\b|\bEXC\b/.test(notice)) return false;
  const [, from, until] = /\b(\d{10})-(\d{10})\b/.exec(notice) ?? [];
  if (from === undefined || until === undefined) return true;
  const at = now.toISOString().slice(2, 16).replaceAll(/\D/g, '');
  return from <= at && at < until;
}
