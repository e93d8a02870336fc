import type { Assessment } from '../../models/types.ts';
import { isoWeekday } from '../../warehouse/ground/dates.ts';
import type { KnownService } from '../scoring/flight-query.ts';
import type { CalendarBody } from '../schemas/calendar.ts';

export type Day = {
  date: string;
  /** `undefined` on a day that cannot be scored. */
  assessment: Assessment | undefined;
};

/** The days of a month as a calendar shows them. What rests on the history alone is the same every day. */
export function calendarBodyOf(
  { origin, dest, airline }: KnownService,
  month: string,
  days: Day[],
): CalendarBody {
  const some = days.find(({ assessment }) => assessment !== undefined)?.assessment;
  return {
    origin: origin.iata,
    dest: dest.iata,
    airline: airline.iata,
    month,
    data_source: some?.tier ?? 'no_data',
    confidence_pct: Math.round(100 * (some?.confidence ?? 0)),
    days: days.map(({ date, assessment }) => ({
      date,
      weekday: isoWeekday(date),
      score: assessment?.score ?? null,
      label: assessment?.label ?? null,
      top_factor: assessment?.components[0]?.key ?? null,
    })),
  };
}
