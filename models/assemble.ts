import type { Airport, ScoreStore, Season } from '../warehouse/store/types.ts';
import { distanceKm } from '../warehouse/ground/distance.ts';
import { dayLogOdds, seasonOf } from './season.ts';
import { FEATURES } from './features.ts';
import { memoizeUndated } from './same-flight.ts';
import type { EndsWeather, FlightQuery } from './types.ts';
import { weatherLogOdds } from './weather-odds.ts';

const WIDTH = FEATURES.length;
/** Index of the first effect in `FEATURES`; the effects have the same order as in the store. */
const EFFECTS_FROM = FEATURES.findIndex(({ name }) => name.endsWith('_effect'));
const MONTH_AT = featureIndex('month_odds');
const WEEKDAY_AT = featureIndex('weekday_odds');
const HOLIDAY_AT = featureIndex('holiday_odds');
const WEATHER_AT = featureIndex('weather_odds');
const DEP_HOUR_AT = featureIndex('dep_hour');
const DISTANCE_AT = featureIndex('distance_km');

/**
 * Computes the features of a flight for each departure hour, one row per hour, in the order of `FEATURES`. An unknown
 * hour and a missing feature are NaN. A group without history has effect 0. If `into` is given, the rows are written to
 * the beginning of `into`.
 */
export function assembleRows(
  query: FlightQuery,
  depHours: readonly number[],
  store: ScoreStore,
  weather: EndsWeather,
  into: Float32Array = new Float32Array(depHours.length * WIDTH),
): Float32Array {
  const { flightDate } = query;
  const { month, weekday, holiday } = dayLogOdds(query, store);
  const weatherOdds = weatherLogOdds(query, store, weather);
  const { distance, positionsIn } = groupsOf(query, store);
  const { values, hours, isSeasonal } = store.effects;
  const { halfYear, depth } = seasonOf(flightDate);
  const places = positionsIn(halfYear);
  for (let row = 0; row < depHours.length; row++) {
    const depHour = depHours[row] as number;
    const isKnown = !Number.isNaN(depHour);
    const from = row * WIDTH;
    into[from + MONTH_AT] = month;
    into[from + WEEKDAY_AT] = weekday;
    into[from + HOLIDAY_AT] = holiday;
    into[from + WEATHER_AT] = weatherOdds;
    for (let kind = 0; kind < places.length; kind++) {
      const block = hours[kind] as number;
      const place = places[kind] as number;
      const effect = block === 0 ? values[place] : values[place + Math.trunc(depHour / block)];
      const share = isSeasonal[kind] ? depth : 1;
      into[from + EFFECTS_FROM + kind] =
        block === 0 || isKnown ? share * (effect as number) : Number.NaN;
    }
    into[from + DEP_HOUR_AT] = depHour;
    into[from + DISTANCE_AT] = distance;
  }
  return into;
}

/**
 * Returns the flight's distance, and the function `positionsIn`. For a half-year, `positionsIn` returns the positions
 * of the flight's effects in the store.
 */
const groupsOf = memoizeUndated((flight, store) => {
  const positions: Partial<Record<Season['halfYear'], readonly number[]>> = {};
  return {
    distance: distanceBetween(store.airport(flight.origin), store.airport(flight.dest)),
    positionsIn: (halfYear: Season['halfYear']) =>
      (positions[halfYear] ??= store.effects.positionsOf(flight, halfYear)),
  };
});

function featureIndex(name: string): number {
  return FEATURES.findIndex((feature) => feature.name === name);
}

/** Returns the distance in kilometres; NaN when an airport is unknown. */
function distanceBetween(from: Airport | undefined, to: Airport | undefined): number {
  return from && to ? distanceKm(from, to) : Number.NaN;
}
