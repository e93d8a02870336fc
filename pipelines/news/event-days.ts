import { addDays, dateAt } from '../../warehouse/ground/dates.ts';
import type { EventType } from '../../warehouse/live/news.ts';
import { folded } from './phrases.ts';

/** Days an event names for itself, `YYYY-MM-DD`, both included. */
export type EventDays = { from: string; until: string };

/** Months and weekdays of the five languages as they are when folded, each from the first on. */
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
/** `24 November`, `24-25 novembre`, `el 24 y 25 de noviembre`. */
const DAY_MONTH = new RegExp(` (?:${NUMBER}${AND} )?${NUMBER} (?:of |de |di )?${MONTH}(?= )`, 'g');
/** `November 24`, `Nov 24 and 25`. */
const MONTH_DAY = new RegExp(` ${MONTH} ${NUMBER}(?:${AND} ${NUMBER})?(?= )`, 'g');
/** `on the 24th`, `le 24`: a day of the month the report is of, or of the next. */
const DAY_ALONE = new RegExp(` (?:on the|le|il|el) ${NUMBER}(?! de)(?= )`);
const TODAY = / (?:today|heute|aujourd hui|hoy|oggi)(?= )/;
const TOMORROW = /(?<! am| la)(?: tomorrow| morgen| demain| manana| domani)(?= )/;
const WEEKDAY = new RegExp(` (${WEEKDAYS.flat().join('|')})(?= )`);
/** What stands before a day on which something began, or ends. */
const SINCE = / (?:since|seit|depuis|desde|dal|last)$/;
const UNTIL = / (?:until|till|bis|bis zum|jusqu au|hasta el|fino al)$/;

/** Further ahead a weekday without a date is more likely the last one than the next. */
const NEAR_DAYS = 4;

/**
 * The days a title names for its event, told from the day it was published. Dates count for every kind of event when they
 * are not over; days without a month and weekdays only for strikes, which are announced. Undefined when none is clear.
 */
export function eventDays(
  title: string,
  eventType: EventType,
  publishedAt: Date,
): EventDays | undefined {
  const text = folded(title);
  const today = dateAt(publishedAt);
  const dated = datesIn(text, today);
  if (dated.length > 0) return spanOf(dated, text, today, eventType);
  if (eventType !== 'strike') return undefined;
  const day = dayAlone(text, today) ?? relativeDay(text, today) ?? weekday(text, today);
  return day === undefined ? undefined : { from: day, until: day };
}

type Found = { date: string; at: number };

function spanOf(found: Found[], text: string, today: string, eventType: EventType) {
  const days = found.map(({ date }) => date).toSorted();
  const [from = today, until = from] = [days[0], days.at(-1)];
  const before = text.slice(0, Math.min(...found.map(({ at }) => at)));
  if (SINCE.test(before)) return undefined;
  if (UNTIL.test(before)) return from < today ? undefined : { from: today, until };
  // What is over is no news of its day, unless it says so of a strike.
  return until < today && eventType !== 'strike' ? undefined : { from, until };
}

/** Each date with a month, in the year that brings it nearest. */
function datesIn(text: string, today: string): Found[] {
  const found: Found[] = [];
  const add = (at: number, month: string, ...days: (string | undefined)[]) => {
    for (const day of days) {
      const date = day === undefined ? undefined : nearest(monthNamed(month), Number(day), today);
      if (date !== undefined) found.push({ date, at });
    }
  };
  for (const { 1: first, 2: last, 3: month = '', index } of text.matchAll(DAY_MONTH)) {
    add(index, month, first, last);
  }
  if (found.length > 0) return found;
  for (const { 1: month = '', 2: first, 3: last, index } of text.matchAll(MONTH_DAY)) {
    add(index, month, first, last);
  }
  return found;
}

function monthNamed(name: string): number {
  return MONTHS.findIndex((names) => names.includes(name)) + 1;
}

function nearest(month: number, day: number, today: string): string | undefined {
  const year = Number(today.slice(0, 4));
  const near = (date: string) => Math.abs(Date.parse(date) - Date.parse(today));
  return [year - 1, year, year + 1]
    .map((one) => dateOf(one, month, day))
    .filter((date) => date !== undefined)
    .toSorted((a, b) => near(a) - near(b))[0];
}

/** `YYYY-MM-DD`; undefined where the calendar has no such day. */
function dateOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCDate() === day ? dateAt(date) : undefined;
}

function dayAlone(text: string, today: string): string | undefined {
  const [, day] = DAY_ALONE.exec(text) ?? [];
  if (day === undefined) return undefined;
  const [year = 0, month = 0] = today.split('-').map(Number);
  const these = [dateOf(year, month, Number(day)), dateOf(year, month + 1, Number(day))];
  return these.find((date) => date !== undefined && date >= today);
}

function relativeDay(text: string, today: string): string | undefined {
  if (TODAY.test(text)) return today;
  return TOMORROW.test(text) ? addDays(today, 1) : undefined;
}

function weekday(text: string, today: string): string | undefined {
  const match = WEEKDAY.exec(text);
  if (!match || SINCE.test(text.slice(0, match.index))) return undefined;
  const wanted = WEEKDAYS.findIndex((names) => names.includes(match[1] ?? ''));
  const ahead = (wanted - ((new Date(today).getUTCDay() + 6) % 7) + 7) % 7;
  return ahead <= NEAR_DAYS ? addDays(today, ahead) : undefined;
}
