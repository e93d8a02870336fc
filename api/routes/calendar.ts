import { Router } from '@koa/router';
import type { FlightQuery } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ApiState } from '../context.ts';
import { assessNow, type AssessNowDeps } from '../scoring/assess.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ScoringDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import {
  crsDepHourOf,
  PAST_HINT,
  resolveService,
  scorableDates,
  isBrandOn,
  type DateRange,
  type KnownService,
} from '../scoring/flight-query.ts';
import { nameService, type KnownNumber } from '../scoring/flight-number.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { calendarBodyOf, type Day } from '../presenters/calendar-body.ts';
import { calendarParams, type CalendarBody } from '../schemas/calendar.ts';
import { readCallParams } from '../schemas/params.ts';

type CalendarQuery = {
  store: ScoreStore;
  service: KnownService;
  number?: KnownNumber | undefined;
  /** The flight on any day of the month. */
  undated: Omit<FlightQuery, 'flightDate'>;
  month: string;
  dates: DateRange;
};

/** `GET /api/calendar`: one flight scored on every day of a month. */
export function calendarRoutes(deps: ScoringDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<CalendarQuery>(
    {
      usageLabel: '/api/calendar',
      isCacheable: true,
      isCompressible: true,
      isCostly: true,
      parse: (ctx) => {
        const { month, dep_time, ...params } = readCallParams(ctx, calendarParams);
        const whole = currentStore(deps.stores);
        const named = nameService({ ...params, dep_time }, whole);
        const store = whole.forRoute(named.origin, named.dest);
        const service = resolveService(named, store);
        const dates = scorableDates(service.origin, deps.now());
        checkMonth(month, dates);
        const { origin, dest, airline: carrier, dep_time: depTime, number } = named;
        const flown = { origin, dest, carrier };
        const undated = {
          ...flown,
          crsDepHour: crsDepHourOf(depTime),
          isBrand: isBrandOn(flown, store),
        };
        return { store, service, number, undated, month, dates };
      },
      cost: () => 1,
      storeOf: ({ store }) => store,
      answer: (query) => calendarAnswer(query, deps),
    },
    deps,
  );
  return new Router<ApiState>().get('/api/calendar', endpoint);
}

/** Builds the body of a month. Each day that can be scored has a score. */
function calendarAnswer(query: CalendarQuery, deps: AssessNowDeps): CalendarBody {
  return calendarBodyOf(
    query,
    query.month,
    daysOf(query.month).map((date) => calendarDay(date, query, deps)),
  );
}

/** Returns one day. Days that can be scored have an assessment. */
export function calendarDay(
  date: string,
  { store, undated, dates }: Pick<CalendarQuery, 'store' | 'undated' | 'dates'>,
  deps: AssessNowDeps,
): Day {
  const canScore = date >= dates.first && date <= dates.last;
  return {
    date,
    assessment: canScore ? assessNow({ ...undated, flightDate: date }, store, deps) : undefined,
  };
}

/** Throws a 400 if no day of the month can be scored. */
function checkMonth(month: string, { first, last }: DateRange): void {
  const [from, to] = [first.slice(0, 7), last.slice(0, 7)];
  if (month >= from && month <= to) return;
  const hint = month < from ? ` ${PAST_HINT}` : '';
  throw new RequestError(400, 'invalid_parameter', `month must be from ${from} to ${to}.${hint}`, {
    param: 'month',
  });
}

/** Lists the days of a month. */
export function daysOf(month: string): string[] {
  const [year, monthOfYear] = month.split('-').map(Number) as [number, number];
  // Day 0 of the next month is the last day of this month.
  const count = new Date(Date.UTC(year, monthOfYear, 0)).getUTCDate();
  return Array.from({ length: count }, (_, day) => `${month}-${String(day + 1).padStart(2, '0')}`);
}
