/** A way to form groups of flights. Flights of one group have the same value of each property named here. */
export type GroupKind = {
  kind: string;
  codes: readonly ('origin' | 'dest' | 'carrier' | 'distance')[];
  /**
   * Whether the two half-years (summer and winter) have separate groups. If so, an effect is multiplied by the season
   * depth of the flight's month.
   */
  byHalfYear?: true;
  /**
   * Length in hours of the blocks into which the day is divided for this kind. Flights without a departure hour are
   * then in no group.
   */
  hours?: number;
  byMonth?: true;
};

/** A way to form groups. `strength` is the prior strength of the groups' effects, as a number of delayed flights. */
export type EffectKind = GroupKind & { strength: number };

/** Current levels of airlines and airports, from the delay-cause table. Airports are airports of arrival. */
export const LEVEL_KINDS = [
  { kind: 'carrier_level', strength: 50, codes: ['carrier'] },
  { kind: 'dest_level', strength: 50, codes: ['dest'] },
  { kind: 'dest_carrier_level', strength: 50, codes: ['dest', 'carrier'] },
  { kind: 'dest_half_year_level', strength: 100, codes: ['dest'], byHalfYear: true },
] as const satisfies EffectKind[];

/**
 * Effects of single months, on top of the levels. The prior of `month` is weak, so that the effect of a month is hardly
 * shrunk.
 */
export const MONTH_KINDS = [
  { kind: 'month', strength: 0.5, codes: [], byMonth: true },
  { kind: 'carrier_month', strength: 100, codes: ['carrier'], byMonth: true },
  { kind: 'dest_month', strength: 100, codes: ['dest'], byMonth: true },
  { kind: 'dest_carrier_month', strength: 100, codes: ['dest', 'carrier'], byMonth: true },
] as const satisfies EffectKind[];

/**
 * Groups of flights whose delays are compared. All effects are fitted together. In this way, an effect of the hour is
 * not attributed to the airline, and an effect of the airline is not attributed to the route. A prior strength of `n`
 * delayed flights equals about `8 n` flights; `docs/model.md` explains how the strengths were chosen.
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

/**
 * For the records of other providers, the prior strengths are multiplied by this factor. Flights abroad differ more
 * than American flights; docs/model.md has the measurement.
 */
const SHARE_ABROAD = 0.4;

/** The factor for `route_carrier_hours`, because the hours of an airline-route differ most of all. */
const HOURS_SHARE_ABROAD = 0.2;

/** The kinds of `FLIGHT_KINDS`, with the prior strengths for records other than the American one. */
export const FLIGHT_KINDS_ABROAD: readonly EffectKind[] = FLIGHT_KINDS.map((one) => ({
  ...one,
  strength: one.strength * (one.kind === 'route_carrier_hours' ? HOURS_SHARE_ABROAD : SHARE_ABROAD),
}));

/** Kinds that describe the effect of the departure hour. Kinds of arrival hours are not included. */
export const HOUR_KINDS: readonly string[] = [
  'hour',
  'half_year_hour',
  'carrier_hours',
  'origin_hours',
  'origin_half_year_hours',
];

const [CARRIER_LEVEL, DEST_LEVEL, DEST_CARRIER_LEVEL, DEST_HALF_YEAR_LEVEL] = LEVEL_KINDS;

/**
 * The kinds in a store, in the order of the features. Kinds of single months are left out.
 * `warehouse/sql/effects/served_levels.sql` computes the levels at the origin from the levels at arrival.
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
