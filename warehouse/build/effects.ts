import { readSql, type Database } from '../connect.ts';

/**
 * The groups of flights whose delays are compared, each given all others, so that an airline is not blamed for its
 * hours nor a route for its airline; the order of `keys` in `effects/cells.sql`.
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

/** The files the effects come from, beside the mart that keeps them. */
export const EFFECT_FILES = ['effects/cells', 'effects/fit_level'] as const;

/** A level is first fitted given those before it, then given all; further rounds change hardly anything. */
const ROUNDS = 2;

/** A day after every month: no rows to learn from. */
const NEVER = '9999-01-01';

/**
 * Estimates the effects of every level from the loaded months into the temporary table `effects`: those of all months
 * and, for the months from `rowsFrom` (`YYYY-MM-DD`) on, those that were known before them.
 */
export async function estimateEffects(db: Database, rowsFrom: string = NEVER): Promise<void> {
  const [cells, fitLevel] = EFFECT_FILES;
  await db.run(await readSql(cells), { rows_from: rowsFrom });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { kind, strength }] of EFFECT_LEVELS.entries()) {
      await db.runFile(fitLevel, { level: at + 1, kind, strength });
    }
  }
}
