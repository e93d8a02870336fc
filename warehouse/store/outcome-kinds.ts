import type { EffectKind } from './effect-kinds.ts';

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

/** Effects of a delay's length. Prior strengths are counts of flights that take the step. */
const LATE_KINDS = [
  { kind: 'hour', strength: 50, codes: [], hours: 1 },
  { kind: 'distance', strength: 50, codes: ['distance'] },
  { kind: 'carrier', strength: 50, codes: ['carrier'] },
  { kind: 'origin', strength: 50, codes: ['origin'] },
  { kind: 'dest', strength: 50, codes: ['dest'] },
  { kind: 'origin_carrier', strength: 100, codes: ['origin', 'carrier'] },
  { kind: 'dest_carrier', strength: 100, codes: ['dest', 'carrier'] },
  { kind: 'route', strength: 100, codes: ['origin', 'dest'] },
  { kind: 'route_carrier', strength: 100, codes: ['origin', 'dest', 'carrier'] },
  { kind: 'carrier_hours', strength: 100, codes: ['carrier'], hours: 3 },
  { kind: 'origin_hours', strength: 100, codes: ['origin'], hours: 4 },
] as const satisfies EffectKind[];

/** Cancellations start from the rate of the airline on the route, so only time matters here. */
const CANCELLED_KINDS = [
  { kind: 'hour', strength: 50, codes: [], hours: 1 },
  { kind: 'carrier_hours', strength: 100, codes: ['carrier'], hours: 3 },
  { kind: 'origin_hours', strength: 100, codes: ['origin'], hours: 4 },
] as const satisfies EffectKind[];

const DIVERTED_KINDS = [
  { kind: 'half_year', strength: 100, codes: [], byHalfYear: true },
  { kind: 'carrier', strength: 50, codes: ['carrier'] },
  { kind: 'dest', strength: 50, codes: ['dest'] },
] as const satisfies EffectKind[];

/** The kinds of groups whose effects are fitted for each step. */
export const OUTCOME_KINDS: Record<OutcomeStep, readonly EffectKind[]> = {
  late15: LATE_KINDS,
  late60: LATE_KINDS,
  late120: LATE_KINDS,
  late180: LATE_KINDS,
  late360: LATE_KINDS,
  cancelled: CANCELLED_KINDS,
  diverted: DIVERTED_KINDS,
};

/**
 * Kinds that fit the seasons, and the difference of each month from its season and from the groups of its flights. Of
 * these, only the effects of half-years are stored. `month` comes last, so that a month with few airports is compared
 * with the same airports in other months.
 */
export const OUTCOME_MONTH_KINDS = [
  { kind: 'carrier', strength: 50, codes: ['carrier'] },
  { kind: 'origin', strength: 50, codes: ['origin'] },
  { kind: 'dest', strength: 50, codes: ['dest'] },
  { kind: 'half_year', strength: 100, codes: [], byHalfYear: true },
  { kind: 'month', strength: 5, codes: [], byMonth: true },
] as const satisfies EffectKind[];

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
