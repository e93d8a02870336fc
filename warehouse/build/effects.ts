import type { Database } from '../connect.ts';
import type { Cells, Routes } from './effect-groups.ts';
import { FLIGHT_KINDS, LEVEL_KINDS, MONTH_KINDS, type EffectKind } from '../store/effect-kinds.ts';
import { fitEffects, type Fitted } from './fit-effects.ts';

/** The files that select the cells that are fitted, the kinds of groups they are divided into, and what runs at the end. */
type Stage = { cells: string[]; kinds: readonly EffectKind[]; atEnd?: string };

const NOW: Stage = {
  cells: ['effects/level_routes', 'effects/level_cells'],
  kinds: LEVEL_KINDS,
  atEnd: 'effects/served_levels',
};

const MONTHS: Stage = { cells: ['effects/month_cells'], kinds: MONTH_KINDS };

const FLIGHTS: Stage = {
  cells: ['effects/route_flights', 'effects/route_levels', 'effects/flight_cells'],
  kinds: FLIGHT_KINDS,
};

/** What is fitted in order, each given all before it. */
const STAGES = [NOW, MONTHS, FLIGHTS];

/** Cells as of a day, and what they are expected to have once fitted. */
type DayFit = { cells: Cells } & Omit<Fitted, 'effects'>;

/** The day as of which all months are known; see `effects/groups.sql`. */
const END = '9999-01-01';

const GROUPS = 'effects/groups';
const CELLS_OF_DAY = 'effects/cells_of_day';

/** The files the effects come from, beside the mart that keeps them. */
export const EFFECT_FILES = [
  GROUPS,
  CELLS_OF_DAY,
  ...STAGES.flatMap(({ cells, atEnd }) => [...cells, ...(atEnd ? [atEnd] : [])]),
];

/** All kinds, with their strengths: the effects rest on these as on the files above. */
export const EFFECT_KINDS = STAGES.flatMap(({ kinds }) => [...kinds]);

/**
 * Estimates the effects of every kind from the loaded months into the temporary table `effects`: those of all months
 * and those that were known on some days (`YYYY-MM-DD`), for the three months from each on. What those of all months make
 * of each cell of flights is in `fitted_cells`.
 */
export async function estimateEffects(db: Database, knownAt: string[] = []): Promise<void> {
  await db.runFile(GROUPS, { known_at: JSON.stringify(knownAt) });
  await fitStage(db, NOW);
  await fitStage(db, MONTHS);
  await keepCells(db, await fitStage(db, FLIGHTS));
}

/** Estimates the levels of now alone, into the temporary table `effects`; it needs no flights. */
export async function estimateLevels(db: Database): Promise<void> {
  await db.runFile(GROUPS, { known_at: '[]' });
  await fitStage(db, NOW);
}

/** Fits each day and returns the last, the end of time. */
async function fitStage(db: Database, { cells, kinds, atEnd }: Stage): Promise<DayFit> {
  for (const file of cells) await db.runFile(file);
  const routes: Routes = await db.rows(
    'select carrier, origin, dest from cell_routes order by route',
  );
  const last = await fitDay(db, { day: END, routes, kinds });
  const days = await db.rows<{ day: string }>(
    'select as_of::varchar as day from effect_days where as_of < $end::date',
    { end: END },
  );
  for (const { day } of days) await fitDay(db, { day, routes, kinds });
  if (atEnd) await db.runFile(atEnd);
  return last;
}

async function fitDay(
  db: Database,
  { day, routes, kinds }: { day: string; routes: Routes; kinds: Stage['kinds'] },
): Promise<DayFit> {
  const cells = (await db.fileColumns(CELLS_OF_DAY, { as_of: day })) as Cells;
  const { effects, ...fitted } = fitEffects(cells, routes, kinds);
  await db.run('create or replace temp table fitted (kind varchar, key varchar, effect double)');
  await db.append('fitted', [
    effects.flatMap(({ kind, keys }) => keys.map(() => kind)),
    effects.flatMap(({ keys }) => keys),
    effects.flatMap(({ values }) => [...values]),
  ]);
  await db.run('insert into effects select $day::date, * from fitted', { day });
  return { cells, ...fitted };
}

/** By how much the effects of its groups move each cell of flights: whatever the month, and where the season is deepest. */
async function keepCells(db: Database, { cells, logOdds, halfYears }: DayFit): Promise<void> {
  await db.run(
    `create or replace temp table fitted_cells
     (route integer, local_hour tinyint, summer tinyint, effects double, half_year_effects double)`,
  );
  await db.append('fitted_cells', [
    [...cells.route],
    Array.from(cells.hour, (hour) => (Number.isNaN(hour) ? null : hour)),
    [...cells.summer],
    Array.from(logOdds, (value, cell) => {
      const seasonal = (cells.seasonDepth[cell] as number) * (halfYears[cell] as number);
      return value - (cells.logOdds[cell] as number) - seasonal;
    }),
    [...halfYears],
  ]);
}
