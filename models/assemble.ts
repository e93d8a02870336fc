import type { Airport, ScoreStore } from '../warehouse/store/types.ts';
import { monthOfYear } from '../warehouse/ground/dates.ts';
import { distanceKm } from './distance.ts';
import { dayOdds } from './season.ts';
import type { EndsWeather, FlightQuery } from './types.ts';
import { weatherLogOdds } from './weather-odds.ts';

/**
 * The features of a flight in the order of `FEATURES`, from one store version and the weather;
 * NaN where the hour is unknown.
 * A group without history differs in nothing from what is expected: its effect is 0.
 */
export function assembleFeatures(
  query: FlightQuery,
  store: ScoreStore,
  weather: EndsWeather,
): Float32Array {
  const { origin, dest, carrier, flightDate, crsDepHour } = query;
  const { month, weekday, holiday } = dayOdds(query, store);
  const effect = (kind: string, key: string) => store.delayEffect(kind, key) ?? 0;
  const inHours = (kind: string, before: string, hours: number) =>
    crsDepHour === undefined
      ? Number.NaN
      : effect(kind, `${before}${Math.floor(crsDepHour / hours)}`);
  const halfYear = halfYearOf(flightDate);
  return Float32Array.of(
    Math.log(month),
    Math.log(weekday),
    Math.log(holiday),
    weatherLogOdds(query, store, weather),
    effect('carrier_level', carrier),
    effect('origin_level', origin + halfYear),
    effect('dest_level', dest + halfYear),
    effect('origin_carrier_level', origin + carrier),
    effect('dest_carrier_level', dest + carrier),
    inHours('hour', '', 1),
    inHours('half_year_hour', halfYear, 1),
    effect('carrier', carrier),
    effect('origin', origin),
    effect('dest', dest),
    effect('origin_carrier', origin + carrier),
    effect('route', origin + dest),
    effect('route_carrier', origin + dest + carrier),
    inHours('carrier_hours', `${carrier}@`, 3),
    inHours('origin_hours', `${origin}@`, 2),
    inHours('dest_hours', `${dest}@`, 3),
    inHours('route_carrier_hours', `${origin}${dest}${carrier}@`, 4),
    inHours('origin_half_year_hours', `${origin}@${halfYear}`, 3),
    crsDepHour ?? Number.NaN,
    distanceOf(store.airport(origin), store.airport(dest)),
  );
}

/** The half of the year as `effects/groups.sql` names it: thunderstorms make summer's evenings what they are. */
export function halfYearOf(date: string): 'S' | 'W' {
  const month = monthOfYear(date);
  return month >= 4 && month <= 9 ? 'S' : 'W';
}

/** NaN when an airport is unknown. */
function distanceOf(from: Airport | undefined, to: Airport | undefined): number {
  return from && to ? distanceKm(from, to) : Number.NaN;
}
