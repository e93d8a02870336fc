import type { Database } from '../connect.ts';

/**
 * How late airlines and airports are now, from the delay-cause table: of an airline, an airport of arrival, the airline
 * there, and the airport in the half-years. Strengths are late flights of prior.
 */
const LEVELS = [
  { kind: 'carrier_level', strength: 50 },
  { kind: 'dest_year', strength: 50 },
  { kind: 'dest_carrier_level', strength: 50 },
  { kind: 'dest_half_year', strength: 100 },
] as const;

/** What single months were beyond that; the month itself has all it is found to have. */
const MONTH_LEVELS = [
  { kind: 'month', strength: 0.5 },
  { kind: 'carrier_month', strength: 100 },
  { kind: 'dest_month', strength: 100 },
  { kind: 'dest_carrier_month', strength: 100 },
] as const;

/**
 * The groups of flights whose delays are compared, each given all others, so that an airline is not blamed for its
 * hours nor a route for its airline; keys are those of `effects/groups.sql`.
 * Strengths are delays of prior, about an eighth of as many flights; `docs/model.md` says how they were chosen.
 */
export const EFFECT_LEVELS = [
  { kind: 'hour', strength: 50 },
  { kind: 'half_year_hour', strength: 100 },
  { kind: 'carrier', strength: 50 },
  { kind: 'origin', strength: 50 },
  { kind: 'dest', strength: 50 },
  { kind: 'origin_carrier', strength: 50 },
  { kind: 'route', strength: 50 },
  { kind: 'route_carrier', strength: 25 },
  { kind: 'carrier_hours', strength: 50 },
  { kind: 'origin_hours', strength: 50 },
  { kind: 'dest_hours', strength: 50 },
  { kind: 'route_carrier_hours', strength: 25 },
  { kind: 'origin_half_year_hours', strength: 100 },
] as const;

/** The cells that are fitted, the kinds of groups they are divided into, and what runs after a first round and after all. */
type Stage = {
  cells: string[];
  kinds: readonly { kind: string; strength: number }[];
  afterFirst?: string;
  atEnd?: string;
};

const NOW: Stage = {
  cells: ['effects/level_cells'],
  kinds: LEVELS,
  atEnd: 'effects/served_levels',
};

/** What is fitted in order, each given all before it. */
const STAGES: Stage[] = [
  NOW,
  { cells: ['effects/month_cells'], kinds: MONTH_LEVELS },
  {
    cells: ['effects/route_levels', 'effects/flight_cells'],
    kinds: EFFECT_LEVELS,
    afterFirst: 'effects/usual_hours',
  },
];

const GROUPS = 'effects/groups';
const FIT_LEVEL = 'effects/fit_level';

/** The files the effects come from, beside the mart that keeps them. */
export const EFFECT_FILES = [
  GROUPS,
  FIT_LEVEL,
  ...STAGES.flatMap(({ cells, afterFirst, atEnd }) =>
    [...cells, afterFirst, atEnd].filter((file) => file !== undefined),
  ),
];

/** What else they rest on. */
export const EFFECT_KINDS = STAGES.flatMap(({ kinds }) => [...kinds]);

/** A level is first fitted given those before it, then given all; further rounds change hardly anything. */
const ROUNDS = 2;

/**
 * Estimates the effects of every level from the loaded months into the temporary table `effects`: those of all months
 * and those that were known on some days (`YYYY-MM-DD`), for the three months from each on.
 */
export async function estimateEffects(db: Database, knownAt: string[] = []): Promise<void> {
  await db.runFile(GROUPS, { known_at: JSON.stringify(knownAt) });
  for (const stage of STAGES) await fitStage(db, stage);
}

/** Estimates the levels of now alone, into the temporary table `effects`; it needs no flights. */
export async function estimateLevels(db: Database): Promise<void> {
  await db.runFile(GROUPS, { known_at: '[]' });
  await fitStage(db, NOW);
}

async function fitStage(db: Database, { cells, kinds, afterFirst, atEnd }: Stage): Promise<void> {
  for (const file of cells) await db.runFile(file);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { kind, strength } of kinds) await db.runFile(FIT_LEVEL, { kind, strength });
    if (round === 0 && afterFirst) await db.runFile(afterFirst);
  }
  if (atEnd) await db.runFile(atEnd);
}
