import { z } from 'zod';
import { routeAirlines } from '../../../models/current-airlines.ts';
import { isCurrentService, soldAirlines, type SoldAirline } from '../../../models/sold-airlines.ts';
import { addDays } from '../../../warehouse/ground/dates.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { RequestError } from '../../errors.ts';
import { localDay } from '../../local-day.ts';
import { airlineCode, calendarDate, localTime } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import { resolveFlight, type KnownFlight } from '../../scoring/flight-query.ts';
import { findAirline, resolveAirline } from './named-airline.ts';
import { pairOfTexts } from './named-airports.ts';
import { placeName } from '../../presenters/names.ts';

const nameText = z.string().max(60, 'is too long');

/**
 * A flight as a visitor enters it. Airports and airline may be entered by code, city or name. The other fields are
 * optional.
 */
export const enteredFlight = z.object({
  origin: nameText,
  dest: nameText,
  /**
   * Without this field, the airline in `prefers` is used if it still flies the route. Otherwise, the airline with the
   * most flights on the route is used.
   */
  airline: nameText.optional(),
  prefers: airlineCode.optional(),
  date: calendarDate.optional(),
  dep_time: localTime.optional(),
});

export type EnteredFlight = z.output<typeof enteredFlight>;

/** Returns the flight that a visitor entered, the airlines of its route, and today's date at its origin. */
export async function resolveEntered(
  input: EnteredFlight,
  deps: ApiDeps,
  whole: ScoreStore = currentStore(deps.stores),
): Promise<{ flight: KnownFlight; route: () => SoldAirline[]; today: string }> {
  const named = await findAirline(input.airline ?? input.prefers ?? '', whole);
  const { origin, dest } = await pairOfTexts(input, named, whole);
  const store = whole.forRoute(origin, dest);
  const route = () => soldAirlines(origin, dest, store);
  const operators = routeAirlines(origin, dest, store);
  const flying = [...route(), ...operators].map(({ carrier }) => carrier);
  const from = store.airport(origin);
  const today = localDay(from?.timeZone ?? 'UTC', deps.now()).date;
  if (input.date !== undefined && input.date < today) {
    const text = 'This day is over. Choose today or a later date.';
    throw new RequestError(400, 'invalid_parameter', text, { param: 'date' });
  }
  const { dep_time } = input;
  const params = {
    origin,
    dest,
    airline:
      input.airline === undefined
        ? chooseAirline({ origin, dest, preferred: input.prefers }, route(), store)
        : await resolveAirline(input.airline, flying, store),
    date: input.date ?? addDays(today, DEFAULT_DAYS_AHEAD),
    ...(dep_time !== undefined && { dep_time }),
  };
  return { flight: resolveFlight(params, store, deps.now()), route, today };
}

/** Days from today to the default departure date. Weather forecasts still cover this date. */
const DEFAULT_DAYS_AHEAD = 7;

/** Returns the preferred airline if it still flies the route, otherwise the airline with the most flights. */
export function chooseAirline(
  { origin, dest, preferred }: { origin: string; dest: string; preferred: string | undefined },
  route: SoldAirline[],
  store: ScoreStore,
): string {
  const current = route.filter(({ isCurrent }) => isCurrent);
  const isFlown =
    preferred !== undefined && isCurrentService({ origin, dest, carrier: preferred }, store);
  if (isFlown || current.some(({ carrier }) => carrier === preferred)) return preferred as string;
  const [busiest] = current.toSorted((a, b) => b.flightCount - a.flightCount);
  const airline = busiest?.carrier ?? preferred;
  if (airline !== undefined) return airline;
  throw new RequestError(
    404,
    'unknown_airline',
    `No flights from ${placeName(origin, store)} to ${placeName(dest, store)} are on record. Enter an airline to get a rough score.`,
    { param: 'airline' },
  );
}
