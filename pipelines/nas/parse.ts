import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { NasProgram } from '../../warehouse/store/nas.ts';
import { SourceFormatError } from '../errors.ts';

/** The lists the service sends, and those that may be empty or hold one element. */
const LISTS = ['Delay_type', 'Program', 'Ground_Delay', 'Delay', 'Airport', 'Arrival_Departure'];

const text = z.coerce.string();
const one = { ARPT: text, Reason: text.default('') };
const list = <T extends z.ZodType>(name: string, item: T) =>
  z.union([z.object({ [name]: z.array(item) }), z.literal('')]).optional();
const delay = z.object({ '@_Type': text, Max: text });

const answer = z.object({
  AIRPORT_STATUS_INFORMATION: z.object({
    Delay_type: z
      .array(
        z.object({
          Ground_Stop_List: list('Program', z.object(one)),
          Ground_Delay_List: list('Ground_Delay', z.object({ ...one, Avg: text })),
          Arrival_Departure_Delay_List: list(
            'Delay',
            z.object({ ...one, Arrival_Departure: z.array(delay) }),
          ),
          Airport_Closure_List: list('Airport', z.object(one)),
        }),
      )
      .default([]),
  }),
});

const GROUND_STOP = 0.8;
const CLOSURE = 0.9;
/** A delay of so many minutes, and what is longer, counts as `LONGEST`; shorter ones in proportion. */
const LONG_MIN = 120;
const LONGEST = 0.8;

/** The measures in force at that instant; throws `SourceFormatError` for what is not the FAA's airport status. */
export function parseNasStatus(source: string, xml: string, now: Date): NasProgram[] {
  const parser = new XMLParser({
    ignoreAttributes: false,
    processEntities: false,
    parseTagValue: false,
    isArray: (name) => LISTS.includes(name),
  });
  let read;
  try {
    read = answer.safeParse(parser.parse(xml));
  } catch (error) {
    throw new SourceFormatError(source, 'is no XML', { cause: error });
  }
  if (!read.success) throw new SourceFormatError(source, 'is not the airport status of the FAA');
  return read.data.AIRPORT_STATUS_INFORMATION.Delay_type.flatMap((type) => [
    ...entries(type.Ground_Stop_List).map((each) => programOf(each, 'stop', GROUND_STOP)),
    ...entries(type.Ground_Delay_List).map((each) =>
      programOf(each, 'delay', severityOf(each.Avg)),
    ),
    ...entries(type.Arrival_Departure_Delay_List).flatMap((each) =>
      each.Arrival_Departure.map(({ '@_Type': way, Max }) =>
        programOf(each, way === 'Departure' ? 'departures' : 'arrivals', severityOf(Max)),
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
