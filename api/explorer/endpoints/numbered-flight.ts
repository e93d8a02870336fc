import type { ParsedUrlQuery } from 'node:querystring';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { flightNumber } from '../../schemas/params.ts';
import { legsOf, nameService } from '../../scoring/flight-number.ts';
import type { Choice } from '../views/choice.ts';
import { month as monthText } from '../views/format.ts';
import { placeName } from '../../presenters/names.ts';

/** A flight number as typed. If the visitor chose a suggestion, its leg is included: `UA820 HKG-BKK`. */
type TypedNumber = { flight: string; origin?: string; dest?: string };

const TYPED = /^(.+\d)(?: ([a-z]{3})-([a-z]{3}))?$/i;

/** Parses a flight number in a visitor's text. Returns undefined if the text is not a flight number. */
export function readTypedNumber(text: string): TypedNumber | undefined {
  const [, number = '', origin, dest] = TYPED.exec(text.trim()) ?? [];
  const flight = flightNumber.safeParse(number).data;
  if (flight === undefined) return undefined;
  if (origin === undefined || dest === undefined) return { flight };
  return { flight, origin: origin.toUpperCase(), dest: dest.toUpperCase() };
}

/**
 * Replaces a flight number with its route, airline and usual time. The number comes from the field of the departure
 * airport, or from the parameter `flight`. Other fields may still contain the previous flight. The destination is
 * therefore used only if a flight with this number goes there. The time is used only if the usual time is unknown.
 * Throws the same errors as `nameService`.
 */
export function withoutNumber(query: ParsedUrlQuery, whole: ScoreStore): ParsedUrlQuery {
  const { flight, origin, dest, airline: _, dep_time, ...others } = query;
  const text = flight ?? origin;
  const typed = typeof text === 'string' ? readTypedNumber(text) : undefined;
  if (!typed) return query;
  const isFlown = legsOf(typed.flight, whole).some((leg) => leg.dest === dest);
  const named = nameService({ ...(isFlown && { dest: String(dest) }), ...typed }, whole);
  const time = named.dep_time ?? dep_time;
  return {
    ...{ ...others, origin: named.origin, dest: named.dest, airline: named.airline },
    ...(time !== undefined && { dep_time: time }),
  };
}

/**
 * Suggests the legs of a flight number, each with the age of the schedule. Empty if the text is not a known flight
 * number.
 */
export function suggestLegs(text: string, whole: ScoreStore): Choice[] {
  const typed = readTypedNumber(text);
  if (!typed) return [];
  const legs = legsOf(typed.flight, whole);
  return legs.map(({ origin, dest, carrier, depTime, month }) => ({
    value: legs.length === 1 ? typed.flight : `${typed.flight} ${origin}-${dest}`,
    code: typed.flight,
    name: `${placeName(origin, whole)} to ${placeName(dest, whole)}`,
    detail: [
      whole.airline(carrier)?.name ?? carrier,
      ...(depTime === undefined ? [] : [depTime]),
      `schedule of ${monthText(month, 'en-GB')}`,
    ].join(', '),
  }));
}
