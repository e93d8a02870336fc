/** A kind of groups of flights: those that have the same in all of these. */
type GroupKind = {
  kind: string;
  codes: readonly ('origin' | 'dest' | 'carrier')[];
  /** Summer and winter half-years apart; a month has as much of it as it is deep in the season. */
  byHalfYear?: true;
  /** Blocks of so many hours of the scheduled local departure; flights without an hour are in none. */
  hours?: number;
  byMonth?: true;
};

/** One whose effects are fitted; its strength is in delays of prior. */
export type EffectKind = GroupKind & { strength: number };

/** How late airlines and airports are now, from the delay-cause table, by airport of arrival. */
export const LEVEL_KINDS = [
  { kind: 'carrier_level', strength: 50, codes: ['carrier'] },
  { kind: 'dest_level', strength: 50, codes: ['dest'] },
  { kind: 'dest_carrier_level', strength: 50, codes: ['dest', 'carrier'] },
  { kind: 'dest_half_year_level', strength: 100, codes: ['dest'], byHalfYear: true },
] as const satisfies EffectKind[];

/** What single months were beyond that; the month itself has all it is found to have. */
export const MONTH_KINDS = [
  { kind: 'month', strength: 0.5, codes: [], byMonth: true },
  { kind: 'carrier_month', strength: 100, codes: ['carrier'], byMonth: true },
  { kind: 'dest_month', strength: 100, codes: ['dest'], byMonth: true },
  { kind: 'dest_carrier_month', strength: 100, codes: ['dest', 'carrier'], byMonth: true },
] as const satisfies EffectKind[];

/**
 * The groups of flights whose delays are compared, each given all others, so that an airline is not blamed for its
 * hours nor a route for its airline.
 * Strengths are about an eighth of as many flights; `docs/model.md` says how they were chosen.
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

/** Kinds that tell what a flight is expected to have for leaving when it does, arrivals aside. */
export const HOUR_KINDS: readonly string[] = [
  'hour',
  'half_year_hour',
  'carrier_hours',
  'origin_hours',
  'origin_half_year_hours',
];

const [CARRIER_LEVEL, DEST_LEVEL, DEST_CARRIER_LEVEL, DEST_HALF_YEAR_LEVEL] = LEVEL_KINDS;

/**
 * The kinds a store holds, in the order of the features; single months are in none. What departures have of the levels of
 * arrivals is made by `warehouse/sql/effects/served_levels.sql`.
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
