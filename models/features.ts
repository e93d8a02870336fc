import { sha256 } from '../warehouse/ground/sha256.ts';
import type { ComponentKey } from './types.ts';

/** One input of the model, in the order of `FEATURES`; a missing value is NaN. */
export type Feature = {
  name: string;
  unit: string;
  what: string;
  /** The component of the score whose log-odds it is; absent: no log-odds, trees alone use it. */
  component?: ComponentKey;
};

/** How much likelier than expected the flights of a group are to be late; see `marts.delay_effects`. */
function effect(kind: string, component: ComponentKey, what: string): Feature {
  return { name: `${kind}_effect`, unit: 'log-odds', what: `lateness of ${what}`, component };
}

function day(kind: string, what: string): Feature {
  const component = 'seasonality';
  return { name: `${kind}_odds`, unit: 'log-odds', what: `lateness of ${what}`, component };
}

/** The features of the model, in the order of its input; all are known days ahead. */
export const FEATURES: readonly Feature[] = [
  day('month', 'the month of the year'),
  day('weekday', 'the weekday'),
  day('holiday', 'days so far from a public holiday'),
  {
    name: 'weather_odds',
    unit: 'log-odds',
    what: 'lateness of the weather forecast, against what is usual in the month; 0 without a forecast',
    component: 'weather',
  },
  effect('carrier_level', 'delay_rate', 'the airline now, by the delay-cause table'),
  effect('origin_level', 'delay_rate', 'the departure airport now'),
  effect('dest_level', 'delay_rate', 'the arrival airport now'),
  effect(
    'origin_half_year_level',
    'delay_rate',
    'the departure airport now, so deep in the season',
  ),
  effect('dest_half_year_level', 'delay_rate', 'the arrival airport now, so deep in the season'),
  effect('origin_carrier_level', 'delay_rate', 'the airline at the departure airport now'),
  effect('dest_carrier_level', 'delay_rate', 'the airline at the arrival airport now'),
  effect('hour', 'congestion', 'flights leaving in that hour'),
  effect('half_year_hour', 'congestion', 'flights leaving in that hour, so deep in the season'),
  effect('carrier', 'delay_rate', 'the airline'),
  effect('origin', 'delay_rate', 'the departure airport'),
  effect('dest', 'delay_rate', 'the arrival airport'),
  effect('origin_carrier', 'delay_rate', 'the airline at the departure airport'),
  effect('route', 'delay_rate', 'the route'),
  effect('route_carrier', 'delay_rate', 'the airline on the route'),
  effect('carrier_hours', 'delay_rate', 'the airline in those three hours'),
  effect('origin_hours', 'congestion', 'the departure airport in those two hours'),
  effect('dest_hours', 'congestion', 'flights to the airport leaving in those three hours'),
  effect('route_carrier_hours', 'delay_rate', 'the airline on the route in those four hours'),
  effect(
    'origin_half_year_hours',
    'congestion',
    'the departure airport in those three hours, so deep in the season',
  ),
  { name: 'dep_hour', unit: '0–23', what: 'scheduled local hour of departure' },
  { name: 'distance_km', unit: 'km', what: 'great-circle distance between the airports' },
];

/** Features that shift the log-odds of every flight of a day alike; the rest tell flights of a day apart. */
export const DAY_FEATURES = ['month_odds', 'weekday_odds', 'holiday_odds', 'weather_odds'] as const;

/** Hex SHA-256 of the ordered names; a model made for other features has another. */
export function featureContract(): string {
  const names = JSON.stringify(FEATURES.map(({ name }) => name));
  return sha256(names);
}

/** What a model must have been made for to be used by this code. */
export const MODEL_CONTRACT = {
  contract: featureContract(),
  features: FEATURES.map(({ name }) => name),
};
