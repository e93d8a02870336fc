import { SourceFormatError } from '../../../warehouse/errors.ts';
import { addDays, daysBetween } from '../../../warehouse/ground/dates.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import type { CollectDeps, Collected, Collector } from '../collector.ts';
import { HKIA_TABLE } from './table.ts';

/** Numbers of days before and after today for which the airport has answers. */
const PAST_DAYS = 91;
const FUTURE_DAYS = 14;

/** Number of days after a flight during which its status may still change. */
const CHANGING_DAYS = 3;

/**
 * For this number of most recent days, an answer without flights is an error. For earlier days, the airport may have
 * withdrawn its answers.
 */
const CERTAIN_DAYS = 7;

const DIRECTIONS = ['arrival', 'departure'] as const;

type DayFile = { date: string; direction: (typeof DIRECTIONS)[number]; name: string };

/**
 * Collects Hong Kong's answers by day and direction. Fetches past days that are missing or may have changed, and the
 * lists of future days. Writes one file for each month of past days. The lists of future days (`ahead-…`) stay in the
 * folder. They have the schedule and the codeshares of each flight.
 */
export const HKIA_COLLECTOR: Collector = {
  address: 'https://www.hongkongairport.com/flightinfo-rest/rest/flights',
  days: PAST_DAYS,
  collect: async (deps, progress) => {
    const today = hongKongDate(deps.now());
    const saved = await deps.folder.list();
    const changed = await collectPast(deps, { today, saved, progress });
    const ahead = await collectAhead(deps, { today, saved, progress });
    await removeOldDays(deps, today);
    const files: Collected['files'] = [];
    for (const period of await listMonths(deps)) {
      files.push({ period, ...(await publishMonth(deps, period)) });
    }
    const summary = `${changed} new or changed lists of past days, ${ahead} of future days`;
    return { summary, files };
  },
};

type Run = { today: string; saved: Map<string, Date>; progress: Progress };

/** Fetches missing and changing days, and returns the number of new and changed lists. */
async function collectPast(
  { address, readPage, folder }: CollectDeps,
  { today, saved, progress }: Run,
): Promise<number> {
  const wanted = dayFiles('', today, -PAST_DAYS, -1).filter(
    ({ date, name }) => !isFinal(date, saved.get(name)),
  );
  let changed = 0;
  for (const [at, day] of wanted.entries()) {
    progress(at, wanted.length, day.date);
    const line = await fetchDay({ address, readPage }, day);
    if (line === undefined) {
      if (daysBetween(day.date, today) > CERTAIN_DAYS) continue;
      throw new SourceFormatError(
        'hkia',
        `the answer has no ${day.direction} on ${day.date}; the interface may have changed`,
      );
    }
    const before = saved.has(day.name) ? await folder.read(day.name) : undefined;
    await folder.write(day.name, line);
    if (before !== line) changed++;
  }
  return changed;
}

/** Replaces the lists of today and the days after it, and returns their number. */
async function collectAhead(
  { address, readPage, folder }: CollectDeps,
  { today, saved, progress }: Run,
): Promise<number> {
  const wanted = dayFiles('ahead-', today, 0, FUTURE_DAYS);
  let count = 0;
  for (const [at, day] of wanted.entries()) {
    progress(at, wanted.length, day.date);
    const line = await fetchDay({ address, readPage }, day);
    if (line === undefined) continue;
    await folder.write(day.name, line);
    count++;
  }
  const names = new Set(wanted.map(({ name }) => name));
  for (const name of saved.keys()) {
    if (name.startsWith('ahead-') && !names.has(name)) await folder.remove(name);
  }
  return count;
}

/**
 * Fetches the list of a day as one line of JSON, in the form that `make ingest` reads; undefined if the airport has no
 * list. Throws `SourceFormatError` if the answer has another layout.
 */
async function fetchDay(
  { address, readPage }: Pick<CollectDeps, 'address' | 'readPage'>,
  { date, direction }: DayFile,
): Promise<string | undefined> {
  const isArrival = direction === 'arrival';
  const url = `${address}/past?date=${date}&lang=en&cargo=false&arrival=${isArrival}`;
  const text = await readPage(url);
  if (text === undefined) return undefined;
  const body = parse(text, url);
  const rows = HKIA_TABLE.rowsOf({ body });
  if (rows === undefined) {
    throw new SourceFormatError(url, `the layout of the answer has changed: ${text.slice(0, 200)}`);
  }
  if (rows.length === 0) return undefined;
  return JSON.stringify({ request: { date, arrival: isArrival }, body });
}

function parse(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SourceFormatError(url, `is not JSON: ${text.slice(0, 200)}`, { cause });
  }
}

/**
 * Lists all months with collected past days, not only months with new days. If the last run failed to load a file, this
 * run therefore loads it.
 */
async function listMonths({ folder }: CollectDeps): Promise<string[]> {
  const days = [...(await folder.list()).keys()].filter((name) => /^\d/.test(name));
  return [...new Set(days.map((name) => name.slice(0, 7)))].toSorted();
}

/** Writes the days of a month as one file. */
async function publishMonth({ folder }: CollectDeps, month: string) {
  const names = [...(await folder.list()).keys()].filter((name) => name.startsWith(month));
  const lines: string[] = [];
  for (const name of names.toSorted()) lines.push(await folder.read(name));
  return folder.publish(`hkia-${month}.ndjson`, lines);
}

/** Removes days of months that are older than all answers of the airport, because such months no longer change. */
async function removeOldDays({ folder }: CollectDeps, today: string): Promise<void> {
  const firstMonth = addDays(today, -PAST_DAYS).slice(0, 7);
  for (const name of (await folder.list()).keys()) {
    if (/^\d/.test(name) && name.slice(0, 7) < firstMonth) await folder.remove(name);
  }
}

/** Whether a stored list of a day can no longer change. */
function isFinal(date: string, savedAt: Date | undefined): boolean {
  if (savedAt === undefined) return false;
  return daysBetween(date, hongKongDate(savedAt)) > CHANGING_DAYS;
}

function dayFiles(prefix: string, today: string, from: number, until: number): DayFile[] {
  return Array.from({ length: until - from + 1 }, (_, at) => addDays(today, from + at)).flatMap(
    (date) =>
      DIRECTIONS.map((direction) => ({
        ...{ date, direction },
        name: `${prefix}${date}-${direction}.json`,
      })),
  );
}

const HONG_KONG_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Hong_Kong' });

function hongKongDate(at: Date): string {
  return HONG_KONG_DAY.format(at);
}
