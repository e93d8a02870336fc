/** A way to group flights. Flights in one group are equal in all these properties. */
export type GroupKind = {
  kind: string;
  codes: readonly ('origin' | 'dest' | 'carrier' | 'distance')[];
  /**
   * Whether the summer and winter half-years have separate groups. If so, the effect on a month is scaled by the
   * month's season depth.
   */
  byHalfYear?: true;
  /**
   * Length, in hours, of the blocks into which scheduled local departure hours are grouped. Flights without a departure
   * hour are in no group.
   */
  hours?: number;
  byMonth?: true;
};

/** A kind whose effects are fitted. `strength` is the prior strength in delayed flights. */
export type EffectKind = GroupKind & { strength: number };

/** Current lateness of airlines and airports, from the delay-cause table, grouped by arrival airport. */
export const LEVEL_KINDS = [
  { kind: 'carrier_level', strength: 50, codes: ['carrier'] },
  { kind: 'dest_level', strength: 50, codes: ['dest'] },
  { kind: 'dest_carrier_level', strength: 50, codes: ['dest', 'carrier'] },
  { kind: 'dest_half_year_level', strength: 100, codes: ['dest'], byHalfYear: true },
] as const satisfies EffectKind[];

/**
 * Effects of single months in addition to the levels. The prior of `month` is weak, so it hardly shrinks the effect of
 * a month.
 */
export const MONTH_KINDS = [
  { kind: 'month', strength: 0.5, codes: [], byMonth: true },
  { kind: 'carrier_month', strength: 100, codes: ['carrier'], byMonth: true },
  { kind: 'dest_month', strength: 100, codes: ['dest'], byMonth: true },
  { kind: 'dest_carrier_month', strength: 100, codes: ['dest', 'carrier'], byMonth: true },
] as const satisfies EffectKind[];

/**
 * The groups of flights whose delays are compared. Effects are fitted jointly. Thus delays at certain hours are not
 * attributed to the airline, and the delays of an airline are not attributed to its route. A prior strength of `n`
 * delayed flights corresponds to about `8 n` flights; `docs/model.md` explains how the strengths were chosen.
 */
export const FLIGHT_KINDS = [
  { kind: 'hour', strength: 50, codes: [], hours: 1 },
  { kind: 'half_year_hour', strength: 100, codes: [], byHalfYear: true, hours: 1 },
  { kind: 'carrier', strength: 50, codes: ['carrier'] },
  { kind: 'origin', strength: 50, codes: ['origin'] },
  { kind: 'dest', strength: 50, codes: ['dest'] },
  { kind: 'origin_carrier', strength: 50, codes: ['origin', 'carrier'] },
  { kind: 'route', strength: 50, codes: ['origin', 'dest'] },
  { kind: 'route_carrier', strength: 25, codes: ['origin', 'dest', 'carrier'] },
  { kind: 'carrier_hours', strength: 50, codes: ['carrier'], hours: 3 },
  { kind: 'origin_hours', strength: 50, codes: ['origin'], hours: 2 },
  { kind: 'dest_hours', strength: 50, codes: ['dest'], hours: 3 },
  { kind: 'route_carrier_hours', strength: 25, codes: ['origin', 'dest', 'carrier'], hours: 4 },
  {
    kind: 'origin_half_year_hours',
    strength: 100,
    codes: ['origin'],
    byHalfYear: true,
    hours: 3,
  },
] as const satisfies EffectKind[];

/** Kinds that give the effect of a flight's departure hour. Kinds for arrival hours are not included. */
export const HOUR_KINDS: readonly string[] = [
  'hour',
  'half_year_hour',
  'carrier_hours',
  'origin_hours',
  'origin_half_year_hours',
];

const [CARRIER_LEVEL, DEST_LEVEL, DEST_CARRIER_LEVEL, DEST_HALF_YEAR_LEVEL] = LEVEL_KINDS;

/**
 * The kinds in a store, in the order of the features. Kinds of single months are not stored.
 * `warehouse/sql/effects/served_levels.sql` derives the origin levels from the levels of arrivals.
 */
export const SERVED_KINDS: readonly GroupKind[] = [
  CARRIER_LEVEL,
  { kind: 'origin_level', codes: ['origin'] },
  DEST_LEVEL,
  { kind: 'origin_half_year_level', codes: ['origin'], byHalfYear: true },
  DEST_HALF_YEAR_LEVEL,
  { kind: 'origin_carrier_level', codes: ['origin', 'carrier'] },
  DEST_CARRIER_LEVEL,
  ...FLIGHT_KINDS,
];
