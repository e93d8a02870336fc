import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { NasProgram } from '../../warehouse/live/nas.ts';
import { SourceFormatError } from '../errors.ts';

/** The longest notice seen has 200 characters, and no day has a hundred measures. */
const MAX_CHARS = 2_000;
const MAX_ENTRIES = 1_000;

/** How far the time a status says it is of may be from ours. */
const MAX_OFF_MS = 3_600_000;

const text = z.string().max(MAX_CHARS);
const one = { ARPT: text, Reason: text.default('') };
/** In both forms a list of one may come as that one, and an empty list as nothing. */
const several = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).max(MAX_ENTRIES), item.transform((single) => [single])]);
const list = <T extends z.ZodType>(name: string, item: T) =>
  z.union([z.object({ [name]: several(item) }), z.literal('')]).optional();
const delay = z.object({ Type: text, Max: text });

const answer = z.object({
  AIRPORT_STATUS_INFORMATION: z.object({
    Update_Time: text.default(''),
    Delay_type: several(
      z.object({
        Ground_Stop_List: list('Program', z.object(one)),
        Ground_Delay_List: list('Ground_Delay', z.object({ ...one, Avg: text })),
        Arrival_Departure_Delay_List: list(
          'Delay',
          z.object({ ...one, Arrival_Departure: several(delay) }),
        ),
        Airport_Closure_List: list('Airport', z.object(one)),
      }),
    ).default([]),
  }),
});

/** Makes of XML what the JSON form says: attributes are named as elements are, and all values are text. */
const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  processEntities: false,
  parseTagValue: false,
});

const GROUND_STOP = 0.8;
const CLOSURE = 0.9;
/** A delay of so many minutes, and what is longer, counts as `LONGEST`; shorter ones in proportion. */
const LONG_MIN = 120;
const LONGEST = 0.8;

/** Whether a status has the older form, JSON with the names of the XML. */
export function isJson(text: string): boolean {
  return /^\s*\{/.test(text);
}

/**
 * The measures in force at that instant, from XML or JSON; throws `SourceFormatError` for what is not the FAA's airport
 * status.
 */
export function parseNasStatus(source: string, text: string, now: Date): NasProgram[] {
  let read;
  try {
    read = answer.safeParse(isJson(text) ? JSON.parse(text.trim()) : xml.parse(text));
  } catch (error) {
    throw new SourceFormatError(source, 'is neither XML nor JSON', { cause: error });
  }
  if (!read.success) throw new SourceFormatError(source, 'is not the airport status of the FAA');
  const { Update_Time, Delay_type } = read.data.AIRPORT_STATUS_INFORMATION;
  // What cannot be read as a time says nothing against it.
  if (Math.abs(now.getTime() - Date.parse(Update_Time)) > MAX_OFF_MS) {
    throw new SourceFormatError(source, `is the status of ${Update_Time}, not of now`);
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

/** "1 hour and 40 minutes" on the scale of severity; 0 for what is no time. */
function severityOf(duration: string): number {
  const part = (unit: string) => Number(new RegExp(`(\\d+) ${unit}`).exec(duration)?.[1] ?? 0);
  const minutes = 60 * part('hour') + part('minute');
  return Math.round(100 * LONGEST * Math.min(1, minutes / LONG_MIN)) / 100;
}

/**
 * Whether a notice closes the airport to airlines now. Most close it to some aircraft only, or every night at hours
 * nothing is scheduled; those do not count.
 */
function closesToAirlines(notice: string, now: Date): boolean {
  if (!/\bCLSD\b/.test(notice) || /\bCLSD (TO|EXC)\b|\bDLY\b|\bEXC\b/.test(notice)) return false;
  const [, from, until] = /\b(\d{10})-(\d{10})\b/.exec(notice) ?? [];
  if (from === undefined || until === undefined) return true;
  const at = now.toISOString().slice(2, 16).replaceAll(/\D/g, '');
  return from <= at && at < until;
}
