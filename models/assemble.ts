import type { Airport, ScoreStore } from '../warehouse/store/types.ts';
import { distanceKm } from '../warehouse/ground/distance.ts';
import { dayOdds, seasonOf } from './season.ts';
import { FEATURES } from './features.ts';
import type { EndsWeather, FlightQuery } from './types.ts';
import { weatherLogOdds } from './weather-odds.ts';

const WIDTH = FEATURES.length;
/** Where the effects begin among the features; they are in the order of the store's. */
const EFFECTS_FROM = FEATURES.findIndex(({ name }) => name.endsWith('_effect'));
const MONTH_AT = placeOf('month_odds');
const WEEKDAY_AT = placeOf('weekday_odds');
const HOLIDAY_AT = placeOf('holiday_odds');
const WEATHER_AT = placeOf('weather_odds');
const DEP_HOUR_AT = placeOf('dep_hour');
const DISTANCE_AT = placeOf('distance_km');

/**
 * The features of a flight in each of those hours of departure, row after row, in the order of `FEATURES`; NaN for an
 * hour that is unknown, and where a feature is missing. From one store version and the weather. Written to the beginning of
 * `into` where it is given.
 * A group without history differs in nothing from what is expected: its effect is 0.
 */
export function assembleRows(
  query: FlightQuery,
  depHours: readonly number[],
  store: ScoreStore,
  weather: EndsWeather,
  into: Float32Array = new Float32Array(depHours.length * WIDTH),
): Float32Array {
  const { origin, dest, flightDate } = query;
  const { month, weekday, holiday } = dayOdds(query, store);
  const [monthOdds, weekdayOdds, holidayOdds] = [
    Math.log(month),
    Math.log(weekday),
    Math.log(holiday),
  ];
  const weatherOdds = weatherLogOdds(query, store, weather);
  const distance = distanceOf(store.airport(origin), store.airport(dest));
  const { values, hours, isSeasonal, placesOf } = store.effects;
  const { halfYear, depth } = seasonOf(flightDate);
  const places = placesOf(query, halfYear);
  for (let row = 0; row < depHours.length; row++) {
    const depHour = depHours[row] as number;
    const isKnown = !Number.isNaN(depHour);
    const from = row * WIDTH;
    into[from + MONTH_AT] = monthOdds;
    into[from + WEEKDAY_AT] = weekdayOdds;
    into[from + HOLIDAY_AT] = holidayOdds;
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

function placeOf(name: string): number {
  return FEATURES.findIndex((feature) => feature.name === name);
}

/** NaN when an airport is unknown. */
function distanceOf(from: Airport | undefined, to: Airport | undefined): number {
  return from && to ? distanceKm(from, to) : Number.NaN;
}
