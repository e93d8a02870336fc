import type { Database } from '../connect.ts';
import type { Cells, Routes } from './effect-groups.ts';
import {
  FLIGHT_KINDS,
  FLIGHT_KINDS_ABROAD,
  LEVEL_KINDS,
  MONTH_KINDS,
  type EffectKind,
} from '../store/effect-kinds.ts';
import { HOME_PROVIDER } from '../paths.ts';
import { fitEffects, type FittedEffects } from './fit-effects.ts';

/**
 * A step of the estimation: the SQL files that select the cells, the kinds of groups to fit, and a SQL file that runs
 * at the end.
 */
type Stage = { cells: string[]; kinds: readonly EffectKind[]; finalFile?: string };

const LEVEL_STAGE: Stage = {
  cells: ['effects/level_routes', 'effects/level_cells'],
  kinds: LEVEL_KINDS,
  finalFile: 'effects/served_levels',
};

const MONTH_STAGE: Stage = { cells: ['effects/month_cells'], kinds: MONTH_KINDS };

const FLIGHT_STAGE: Stage = {
  cells: ['effects/route_flights', 'effects/route_levels', 'effects/flight_cells'],
  kinds: FLIGHT_KINDS,
};

/** The flight stage for months of a provider other than BTS. */
const FLIGHT_STAGE_ABROAD: Stage = { ...FLIGHT_STAGE, kinds: FLIGHT_KINDS_ABROAD };

/** The stages in the order in which they are fitted. A stage uses the effects that earlier stages have fitted. */
const STAGES = [LEVEL_STAGE, MONTH_STAGE, FLIGHT_STAGE];

/** The cells as known on a day. Each cell has its fitted log-odds. */
type DayFit = { cells: Cells } & Omit<FittedEffects, 'effects'>;

/** A day on which all months are known. The store publishes the effects as of this day; see `effects/groups.sql`. */
const END_OF_TIME = '9999-01-01';

const GROUPS = 'effects/groups';
const CELLS_OF_DAY = 'effects/cells_of_day';

/** SQL files that estimate the effects, without the mart that stores them. */
export const EFFECT_FILES = [
  GROUPS,
  CELLS_OF_DAY,
  ...STAGES.flatMap(({ cells, finalFile }) => [...cells, ...(finalFile ? [finalFile] : [])]),
];

/** All kinds of groups with their prior strengths. A change of either changes the effects. */
export const EFFECT_KINDS = [...STAGES, FLIGHT_STAGE_ABROAD].flatMap(({ kinds }) => [...kinds]);

/**
 * Estimates the effects of every kind from the loaded months, and writes them to the temporary table `effects`. The
 * table gets the effects that the store publishes, which use all months. For each day of `asOfDays` (`YYYY-MM-DD`), it
 * also gets the effects that were known on that day. `fitted_cells` gets the sum of the published effects for each cell
 * of flights.
 */
export async function estimateEffects(db: Database, asOfDays: string[] = []): Promise<void> {
  await db.runFile(GROUPS, { known_at: JSON.stringify(asOfDays) });
  await fitStage(db, LEVEL_STAGE);
  await fitStage(db, MONTH_STAGE);
  const flights = (await isAbroad(db)) ? FLIGHT_STAGE_ABROAD : FLIGHT_STAGE;
  await saveFittedCells(db, await fitStage(db, flights));
}

/** Whether the loaded months are from a provider other than BTS. */
async function isAbroad(db: Database): Promise<boolean> {
  const [month] = await db.rows<{ provider: string }>(
    'select provider from raw.lake_months limit 1',
  );
  return month !== undefined && month.provider !== HOME_PROVIDER;
}

/**
 * Estimates only the current levels, and writes them to the temporary table `effects`. Levels do not need single
 * flights.
 */
export async function estimateLevels(db: Database): Promise<void> {
  await db.runFile(GROUPS, { known_at: '[]' });
  await fitStage(db, LEVEL_STAGE);
}

/** Fits the effects as of each day. Returns the fit that uses all months. */
async function fitStage(db: Database, { cells, kinds, finalFile }: Stage): Promise<DayFit> {
  for (const file of cells) await db.runFile(file);
  const routes: Routes = await db.rows(
    'select carrier, origin, dest from cell_routes order by route',
  );
  const last = await fitDay(db, { day: END_OF_TIME, routes, kinds });
  const days = await db.rows<{ day: string }>(
    'select as_of::varchar as day from effect_days where as_of < $end::date',
    { end: END_OF_TIME },
  );
  for (const { day } of days) await fitDay(db, { day, routes, kinds });
  if (finalFile) await db.runFile(finalFile);
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

/**
 * Saves the sum of the effects of each cell in `fitted_cells`. Half-year effects have their own column, at full season
 * depth.
 */
async function saveFittedCells(db: Database, { cells, logOdds, halfYears }: DayFit): Promise<void> {
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
