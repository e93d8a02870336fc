import { topDriver } from '../../models/drivers.ts';
import type { Assessment } from '../../models/types.ts';
import { isoWeekday } from '../../warehouse/ground/dates.ts';
import type { KnownNumber } from '../scoring/flight-number.ts';
import type { KnownService } from '../scoring/flight-query.ts';
import { numberFieldsOf } from './score-body.ts';
import type { CalendarBody } from '../schemas/calendar.ts';
import { round } from '../../warehouse/ground/numbers.ts';

type Service = { service: KnownService; number?: KnownNumber | undefined };

export type Day = {
  date: string;
  /** Undefined on a day that cannot be scored. */
  assessment: Assessment | undefined;
};

/** Builds the body of `/api/calendar`. Fields that depend only on the history have the same value on all days. */
export function calendarBodyOf(
  { service: { origin, dest, airline }, number }: Service,
  month: string,
  days: Day[],
): CalendarBody {
  const scoredDay = days.find(({ assessment }) => assessment !== undefined)?.assessment;
  return {
    origin: origin.iata,
    dest: dest.iata,
    airline: airline.iata,
    ...numberFieldsOf({ number }),
    month,
    data_source: scoredDay?.tier ?? 'no_data',
    confidence_pct: Math.round(100 * (scoredDay?.confidence ?? 0)),
    days: days.map(({ date, assessment }) => ({
      date,
      weekday: isoWeekday(date),
      score: assessment?.score ?? null,
      label: assessment?.label ?? null,
      holiday: assessment === undefined ? null : holidayBodyOf(assessment),
      top_factor: (assessment && topDriver(assessment)?.key) ?? null,
    })),
  };
}

/** Returns the holiday near the day and its effect on delays, as an odds ratio. Null if no holiday is near. */
export function holidayBodyOf({ holiday }: Pick<Assessment, 'holiday'>) {
  if (holiday?.name === undefined) return null;
  return { name: holiday.name, odds: round(Math.exp(holiday.logOdds), 3) };
}
