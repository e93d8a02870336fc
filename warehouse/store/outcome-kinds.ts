import type { EffectKind, GroupKind } from './effect-kinds.ts';

/**
 * The steps between outcomes, in the order of the store. Each step is a share of certain flights:
 * - `late15`: flights 15 minutes late or more, among the flights up to 30 minutes late
 * - `late60`, `late120`, `late180`, `late360`: flights later than this limit, among the flights later than the limit
 *   before (30, 60, 120, 180 minutes)
 * - `cancelled`: among all flights; effects are relative to the rate of the airline on the route
 * - `diverted`: among all flights
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

/**
 * Kinds of groups for the length of a delay. The data shows how much groups differ, so there are no prior strengths.
 */
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

/**
 * Kinds of groups for cancellations. Each kind compares hours of the day only, because the effects are relative to the
 * rate of the airline on the route.
 */
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
 * Kinds that are fitted to find the seasons and the level of each month. Only the effects of half-years are stored.
 * `month` comes last, so that a month with few airports is compared with other months of the same airports.
 */
export const LATE_MONTH_KINDS = [
  { kind: 'carrier', codes: ['carrier'] },
  { kind: 'origin', codes: ['origin'] },
  { kind: 'dest', codes: ['dest'] },
  { kind: 'half_year', codes: [], byHalfYear: true },
  { kind: 'month', codes: [], byMonth: true },
] as const satisfies GroupKind[];

/**
 * Effects on the steps between outcomes, in log-odds; see `marts.outcome_effects`. Row `r` (a group) has one value for
 * each step, from index `r * steps.length` on.
 */
export type OutcomeTable = {
  steps: readonly OutcomeStep[];
  effects: Float32Array;
  /** Standard deviations of the effects. */
  spreads: Float32Array;
  /** Returns the row of a group such as `carrier_hours AA@5`; -1 if the group has no history. */
  rowOf: (name: string) => number;
};
