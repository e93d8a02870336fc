import { addDays, dateAt } from '../../warehouse/ground/dates.ts';
import type { EventType } from '../../warehouse/live/news.ts';
import { foldText } from './phrases.ts';

/** First and last day that a title names for its event, `YYYY-MM-DD`. */
export type EventDays = { from: string; until: string };

/** Folded names of months and weekdays in the five languages, in calendar order. */
const MONTHS = [
  'january jan januar janvier enero gennaio',
  'february feb februar fevrier febrero febbraio',
  'march marz mars marzo',
  'april apr avril abril aprile',
  'may mai mayo maggio',
  'june jun juni juin junio giugno',
  'july jul juli juillet julio luglio',
  'august aug aout agosto',
  'september sept sep septembre septiembre settembre',
  'october oct oktober okt octobre octubre ottobre',
  'november nov novembre noviembre',
  'december dec dezember dez decembre diciembre dicembre',
].map((names) => names.split(' '));
const WEEKDAYS = [
  'monday montag lundi lunes lunedi',
  'tuesday dienstag mardi martes martedi',
  'wednesday mittwoch mercredi miercoles mercoledi',
  'thursday donnerstag jeudi jueves giovedi',
  'friday freitag vendredi viernes venerdi',
  'saturday samstag samedi sabado sabato',
  'sunday sonntag dimanche domingo domenica',
].map((names) => names.split(' '));

const NUMBER = '([1-9]|[12]\\d|3[01])(?:st|nd|rd|th|er)?';
const MONTH = `(${MONTHS.flat().join('|')})`;
const AND = '(?: (?:and|to|until|through|und|bis|et|au|y|al|e|a))?';
/** Matches `24 November`, `24-25 novembre`, `el 24 y 25 de noviembre`. */
const DAY_MONTH = new RegExp(` (?:${NUMBER}${AND} )?${NUMBER} (?:of |de |di )?${MONTH}(?= )`, 'g');
/** Matches `November 24`, `Nov 24 and 25`. */
const MONTH_DAY = new RegExp(` ${MONTH} ${NUMBER}(?:${AND} ${NUMBER})?(?= )`, 'g');
/** Matches `on the 24th`, `le 24`. The day is in the month in which the report was published, or in the next month. */
const DAY_WITHOUT_MONTH = new RegExp(` (?:on the|le|il|el) ${NUMBER}(?! de)(?= )`);
const TODAY = / (?:today|heute|aujourd hui|hoy|oggi)(?= )/;
const TOMORROW = /(?<! am| la)(?: tomorrow| morgen| demain| manana| domani)(?= )/;
const WEEKDAY = new RegExp(` (${WEEKDAYS.flat().join('|')})(?= )`);
/** Words before the day on which an event began or ends. */
const SINCE = / (?:since|seit|depuis|desde|dal|last)$/;
const UNTIL = / (?:until|till|bis|bis zum|jusqu au|hasta el|fino al)$/;

/**
 * Limit in days. If the weekday that a title names is further ahead, the title probably means the day in the past week.
 */
const NEAR_DAYS = 4;

/**
 * Returns the days that a title names for its event, relative to its publication. A date with its month is used for
 * every type of event, unless it is past. Other days and weekdays are used only for strikes, because strikes are
 * announced. Undefined without a clear day.
 */
export function eventDays(
  title: string,
  eventType: EventType,
  publishedAt: Date,
): EventDays | undefined {
  const text = foldText(title);
  const today = dateAt(publishedAt);
  const dates = datesIn(text, today);
  if (dates.length > 0) return spanOf(dates, text, today, eventType);
  if (eventType !== 'strike') return undefined;
  const day = dayWithoutMonth(text, today) ?? relativeDay(text, today) ?? nextWeekday(text, today);
  return day === undefined ? undefined : { from: day, until: day };
}

type FoundDate = { date: string; at: number };

function spanOf(dates: FoundDate[], text: string, today: string, eventType: EventType) {
  const days = dates.map(({ date }) => date).toSorted();
  const [from = today, until = from] = [days[0], days.at(-1)];
  const before = text.slice(0, Math.min(...dates.map(({ at }) => at)));
  if (SINCE.test(before)) return undefined;
  if (UNTIL.test(before)) return from < today ? undefined : { from: today, until };
  // Past days are ignored, except for strikes.
  return until < today && eventType !== 'strike' ? undefined : { from, until };
}

/** Finds dates with a month, each in the nearest year. */
function datesIn(text: string, today: string): FoundDate[] {
  const dates: FoundDate[] = [];
  const add = (at: number, month: string, ...days: (string | undefined)[]) => {
    for (const day of days) {
      const date = day === undefined ? undefined : nearest(monthNamed(month), Number(day), today);
      if (date !== undefined) dates.push({ date, at });
    }
  };
  for (const { 1: first, 2: last, 3: month = '', index } of text.matchAll(DAY_MONTH)) {
    add(index, month, first, last);
  }
  if (dates.length > 0) return dates;
  for (const { 1: month = '', 2: first, 3: last, index } of text.matchAll(MONTH_DAY)) {
    add(index, month, first, last);
  }
  return dates;
}

function monthNamed(name: string): number {
  return MONTHS.findIndex((names) => names.includes(name)) + 1;
}

function nearest(month: number, day: number, today: string): string | undefined {
  const year = Number(today.slice(0, 4));
  const distanceMs = (date: string) => Math.abs(Date.parse(date) - Date.parse(today));
  return [year - 1, year, year + 1]
    .map((one) => dateOf(one, month, day))
    .filter((date) => date !== undefined)
    .toSorted((a, b) => distanceMs(a) - distanceMs(b))[0];
}

/** `YYYY-MM-DD`; undefined where the calendar has no such day. */
function dateOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCDate() === day ? dateAt(date) : undefined;
}

function dayWithoutMonth(text: string, today: string): string | undefined {
  const [, day] = DAY_WITHOUT_MONTH.exec(text) ?? [];
  if (day === undefined) return undefined;
  const [year = 0, month = 0] = today.split('-').map(Number);
  const candidates = [dateOf(year, month, Number(day)), dateOf(year, month + 1, Number(day))];
  return candidates.find((date) => date !== undefined && date >= today);
}

function relativeDay(text: string, today: string): string | undefined {
  if (TODAY.test(text)) return today;
  return TOMORROW.test(text) ? addDays(today, 1) : undefined;
}

function nextWeekday(text: string, today: string): string | undefined {
  const match = WEEKDAY.exec(text);
  if (!match || SINCE.test(text.slice(0, match.index))) return undefined;
  const weekdayIndex = WEEKDAYS.findIndex((names) => names.includes(match[1] ?? ''));
  const daysAhead = (weekdayIndex - ((new Date(today).getUTCDay() + 6) % 7) + 7) % 7;
  return daysAhead <= NEAR_DAYS ? addDays(today, daysAhead) : undefined;
}
