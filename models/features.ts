import { sha256 } from '../warehouse/ground/hashes.ts';

/** One input of the model, in the order of `FEATURES`; a missing value is NaN. */
export type Feature = {
  name: string;
  unit: string;
  what: string;
};

/**
 * Describes a feature that contains the effect of a group: the log-odds of delay of the group's flights, minus the
 * expected log-odds. See `marts.delay_effects`.
 */
function effectFeature(kind: string, what: string): Feature {
  return { name: `${kind}_effect`, unit: 'log-odds', what: `lateness of ${what}` };
}

function dayFeature(kind: string, what: string): Feature {
  return { name: `${kind}_odds`, unit: 'log-odds', what: `lateness of ${what}` };
}

/** The model's features in the order of its input; all are known days before the flight. */
export const FEATURES: readonly Feature[] = [
  dayFeature('month', 'the month of the year'),
  dayFeature('weekday', 'the weekday'),
  dayFeature('holiday', 'the day if it is near a public holiday, such as Thanksgiving Sunday'),
  {
    name: 'weather_odds',
    unit: 'log-odds',
    what: 'lateness due to the weather forecast, relative to the usual weather of the month; 0 without a forecast',
  },
  effectFeature('carrier_level', 'the airline at present, from the delay-cause table'),
  effectFeature('origin_level', 'the departure airport at present'),
  effectFeature('dest_level', 'the arrival airport at present'),
  effectFeature(
    'origin_half_year_level',
    'the departure airport at present, scaled by season depth',
  ),
  effectFeature('dest_half_year_level', 'the arrival airport at present, scaled by season depth'),
  effectFeature('origin_carrier_level', 'the airline at the departure airport at present'),
  effectFeature('dest_carrier_level', 'the airline at the arrival airport at present'),
  effectFeature('hour', 'flights leaving in the same hour'),
  effectFeature('half_year_hour', 'flights leaving in the same hour, scaled by season depth'),
  effectFeature('carrier', 'the airline'),
  effectFeature('origin', 'the departure airport'),
  effectFeature('dest', 'the arrival airport'),
  effectFeature('origin_carrier', 'the airline at the departure airport'),
  effectFeature('route', 'the route'),
  effectFeature('route_carrier', 'the airline on the route'),
  effectFeature('carrier_hours', 'the airline in the same three-hour block'),
  effectFeature('origin_hours', 'the departure airport in the same two-hour block'),
  effectFeature(
    'dest_hours',
    'flights to the arrival airport leaving in the same three-hour block',
  ),
  effectFeature('route_carrier_hours', 'the airline on the route in the same four-hour block'),
  effectFeature(
    'origin_half_year_hours',
    'the departure airport in the same three-hour block, scaled by season depth',
  ),
  { name: 'dep_hour', unit: '0–23', what: 'scheduled local hour of departure' },
  { name: 'distance_km', unit: 'km', what: 'great-circle distance between the airports' },
];

/**
 * Features that shift the log-odds of all flights of a day by the same amount. The other features differ between
 * flights of a day.
 */
export const DAY_FEATURES = ['month_odds', 'weekday_odds', 'holiday_odds', 'weather_odds'] as const;

/** Hex SHA-256 of the ordered feature names. The hash identifies the features that a model was made for. */
export function featureContract(): string {
  const names = JSON.stringify(FEATURES.map(({ name }) => name));
  return sha256(names);
}

/** Contract and features that a model must have for this code. */
export const MODEL_CONTRACT = {
  contract: featureContract(),
  features: FEATURES.map(({ name }) => name),
};
