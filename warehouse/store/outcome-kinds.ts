import type { EffectKind, GroupKind } from './effect-kinds.ts';

/**
 * The steps from one outcome to the next, in the order of the store. Each step is the share of the flights in a range
 * that go on to the next range.
 * - `late15`: 15 minutes late or more, of the flights up to 30 minutes late
 * - `late60` to `late360`: later than this, of the flights later than the limit before it (30, 60, 120, 180 minutes)
 * - `cancelled`: of all flights, relative to the rate of the airline on the route
 * - `diverted`: of all flights
 */
export const OUTCOME_STEPS = [
  'late15',
  'late60',
  'late120',
  'late180',
  'late360',
  'cancelled',
  'diverted',
] as const;

export type OutcomeStep = (typeof OUTCOME_STEPS)[number];

/** Effects of a delay's length. How much groups differ is estimated from the data, so there are no prior strengths. */
export const LATE_KINDS = [
  { kind: 'hour', codes: [], hours: 1 },
  { kind: 'distance', codes: ['distance'] },
  { kind: 'carrier', codes: ['carrier'] },
  { kind: 'carrier_distance', codes: ['carrier', 'distance'] },
  { kind: 'origin', codes: ['origin'] },
  { kind: 'dest', codes: ['dest'] },
  { kind: 'origin_carrier', codes: ['origin', 'carrier'] },
  { kind: 'dest_carrier', codes: ['dest', 'carrier'] },
  { kind: 'route', codes: ['origin', 'dest'] },
  { kind: 'route_carrier', codes: ['origin', 'dest', 'carrier'] },
  { kind: 'carrier_hours', codes: ['carrier'], hours: 3 },
  { kind: 'origin_hours', codes: ['origin'], hours: 4 },
] as const satisfies GroupKind[];

/** Cancellations start from the rate of the airline on the route, so only time matters here. */
export const CANCELLED_KINDS = [
  { kind: 'hour', strength: 50, codes: [], hours: 1 },
  { kind: 'carrier_hours', strength: 100, codes: ['carrier'], hours: 3 },
  { kind: 'origin_hours', strength: 100, codes: ['origin'], hours: 4 },
] as const satisfies EffectKind[];

export const DIVERTED_KINDS = [
  { kind: 'half_year', strength: 100, codes: [], byHalfYear: true },
  { kind: 'carrier', strength: 50, codes: ['carrier'] },
  { kind: 'dest', strength: 50, codes: ['dest'] },
] as const satisfies EffectKind[];

/**
 * Kinds that fit the seasons, and the difference of each month from its season and from the groups of its flights. Of
 * these, only the effects of half-years are stored. `month` comes last, so that a month with few airports is compared
 * with the same airports in other months.
 */
export const LATE_MONTH_KINDS = [
  { kind: 'carrier', codes: ['carrier'] },
  { kind: 'origin', codes: ['origin'] },
  { kind: 'dest', codes: ['dest'] },
  { kind: 'half_year', codes: [], byHalfYear: true },
  { kind: 'month', codes: [], byMonth: true },
] as const satisfies GroupKind[];

/**
 * Effects on the steps between outcomes in log-odds; see `marts.outcome_effects`. Row `r` of a group has one value for
 * each step, from `r * steps.length` on.
 */
export type OutcomeTable = {
  steps: readonly OutcomeStep[];
  effects: Float32Array;
  /** Standard deviations of the effects. */
  spreads: Float32Array;
  /** Returns the row of a group such as `carrier_hours AA@5`; -1 without history. */
  rowOf: (name: string) => number;
};
