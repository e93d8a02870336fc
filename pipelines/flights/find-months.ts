import type { Progress } from '../../warehouse/progress.ts';
import { firstDay, monthOf } from '../../warehouse/ground/dates.ts';
import { SourceOutageError } from '../errors.ts';
import type { HttpGet } from '../http-get.ts';
import { absence } from './http-answer.ts';
import { monthUrl } from './month-source.ts';
import { monthsBetween, type Month } from './months.ts';

/** Months asked for, and which of them are out. */
export type MonthsFound = {
  /** Where they were asked for; absent where nothing was asked. */
  base?: string;
  asked: Month[];
  out: Month[];
  /** Months whose weather of the past is due. */
  weather: Month[];
};

export type FindMonthsDeps = {
  /** Where months come from; undefined where nothing may be fetched. */
  base: string | undefined;
  get: HttpGet;
  lake: () => Promise<LakeMonths>;
  now: () => Date;
};

/** What the lake holds, as far as it decides what is looked for. */
export type LakeMonths = {
  /** Every month with flights, ascending. */
  held: Month[];
  /** Those that are not of the history that ships with the code, ascending. */
  own: Month[];
  /** Taken out on purpose; they are not brought again. */
  dropped: Month[];
  /** Months with weather of the archive, ascending. */
  weather: Month[];
};

/** An empty lake begins with the last year. */
const FIRST_MONTHS = 12;
/** A file of a month has some 30 MB: what is left comes on the next days. */
const MOST_A_DAY = 6;
/** The archive's month costs some 600 of 9,000 calls a day; forecasts need their share. */
const MOST_WEATHER_A_DAY = 4;

/**
 * Asks the server, by the headers alone, which months are out that the lake lacks: those after its last, until the first that is
 * not out, and the gaps between months of one's own; six at most, oldest first. Throws `SourceOutageError` when it is away.
 */
export async function findMonths(deps: FindMonthsDeps, progress: Progress): Promise<MonthsFound> {
  const { base, get, now } = deps;
  const lake = await deps.lake();
  if (base === undefined) return { asked: [], out: [], weather: [] };
  const { gaps, later } = wantedMonths(lake, now());
  const asked: Month[] = [];
  const out: Month[] = [];
  for (const month of [...gaps, ...later]) {
    if (out.length === MOST_A_DAY) break;
    asked.push(month);
    progress(asked.length, gaps.length + later.length, month);
    if (await isOut(monthUrl(base, month), get)) out.push(month);
    // Months come out one after the other.
    else if (later.includes(month)) break;
  }
  return { base, asked, out: out.toSorted(), weather: weatherDue(lake, out) };
}

/** The months a lake lacks, before and after its last, none of them later than the month before this one. */
export function wantedMonths(
  { held, own, dropped }: LakeMonths,
  now: Date,
): { gaps: Month[]; later: Month[] } {
  const today = now.toISOString();
  const lastOver = monthOf(firstDay(today.slice(0, 10), -1));
  const last = held.at(-1);
  const from =
    last === undefined ? monthOf(firstDay(lastOver, 1 - FIRST_MONTHS)) : monthOf(firstDay(last, 1));
  const isWanted = (month: Month) => !held.includes(month) && !dropped.includes(month);
  const [first, end] = [own.at(0), own.at(-1)];
  const gaps = first === undefined || end === undefined ? [] : monthsBetween(first, end);
  return {
    gaps: gaps.filter(isWanted),
    later: from > lastOver ? [] : monthsBetween(from, lastOver).filter(isWanted),
  };
}

/** Weather of the archive goes on from where a back-fill of it ended, over the months with flights. */
function weatherDue({ held, weather }: LakeMonths, out: Month[]): Month[] {
  const last = weather.at(-1);
  if (last === undefined) return [];
  const flown = [...new Set([...held, ...out])].toSorted();
  return flown.filter((month) => month > last).slice(0, MOST_WEATHER_A_DAY);
}

async function isOut(url: string, get: HttpGet): Promise<boolean> {
  const response = await get({ url, method: 'HEAD', headers: {} });
  await response.cancel();
  if (absence(response) !== undefined) return false;
  // A server that knows no HEAD may still have the file: the download tells.
  if ([200, 405, 501].includes(response.status)) return true;
  throw new SourceOutageError(url, `the server answers ${response.status}`);
}
