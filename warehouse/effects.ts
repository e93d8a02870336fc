import { readSql, type Database } from './connect.ts';

/**
 * The groups of flights whose delays are compared, each with what those before it expect, so that an airline is not
 * blamed for its hours nor a route for its airline; the order of `keys` in `effects/cells.sql`.
 * Strengths are delays of prior, about an eighth of as many flights; `docs/model.md` says how they were chosen.
 */
export const EFFECT_LEVELS = [
  { kind: 'hour', strength: 50 },
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
] as const;

/** The files the effects come from, beside the mart that keeps them. */
export const EFFECT_FILES = ['effects/cells', 'effects/add_level'] as const;

/** A day after every month: nothing is held out. */
const NEVER = '9999-01-01';

/**
 * Estimates the effects of every level from the loaded months into the temporary tables `effects` and `effect_cells`;
 * the cells of months from `heldOutFrom` (`YYYY-MM-DD`) on have effects without the delays of their own month.
 */
export async function estimateEffects(db: Database, heldOutFrom: string = NEVER): Promise<void> {
  const [cells, addLevel] = EFFECT_FILES;
  await db.run(await readSql(cells), { held_out_from: heldOutFrom });
  for (const [at, { kind, strength }] of EFFECT_LEVELS.entries()) {
    await db.runFile(addLevel, { level: at + 1, kind, strength });
  }
}
