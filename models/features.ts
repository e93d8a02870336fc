import { createHash } from 'node:crypto';

/** One input of the model, in the order of `FEATURES`; a missing value is NaN. */
export type Feature = { name: string; unit: string; what: string };

/** The features of the model, in the order of its input. */
export const FEATURES: readonly Feature[] = [
  {
    name: 'route_carrier_delayed_rate',
    unit: 'share',
    what: 'delayed share of the airline on the route, shrunk',
  },
  { name: 'route_delayed_rate', unit: 'share', what: 'delayed share of the route, shrunk' },
  { name: 'month', unit: '1–12', what: 'month of the flight date' },
  { name: 'weekday', unit: '1–7', what: 'ISO weekday of the flight date, Monday first' },
  { name: 'dep_hour', unit: '0–23', what: 'scheduled local hour of departure' },
  { name: 'congestion_dep', unit: '0–1', what: 'congestion of the departure airport that day' },
  { name: 'congestion_arr', unit: '0–1', what: 'congestion of the arrival airport that day' },
];

/** Hex SHA-256 of the ordered names; a model made for other features has another. */
export function featureContract(): string {
  const names = JSON.stringify(FEATURES.map(({ name }) => name));
  return createHash('sha256').update(names).digest('hex');
}
