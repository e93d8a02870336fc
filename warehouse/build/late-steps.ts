import { setImmediate } from 'node:timers/promises';
import seasons from './late-seasons.json' with { type: 'json' };
import type { Database } from '../connect.ts';
import {
  LATE_KINDS,
  LATE_MONTH_KINDS,
  OUTCOME_STEPS,
  type OutcomeStep,
} from '../store/outcome-kinds.ts';
import type { GroupKind } from '../store/effect-kinds.ts';
import { buildGroups, selectGroups, type CellPlaces, type Routes } from './effect-groups.ts';
import { fitOdds, type KindGroups, type OddsEffects } from './fit-odds.ts';

/** A row of the table `outcome_fits`, without the column `step`. */
export type OutcomeFit = { kind: string; key: string; effect: number; spread: number };

/** A step from one delay to a longer delay. */
export type LateStep = Exclude<OutcomeStep, 'cancelled' | 'diverted'>;

export const LATE_STEPS = OUTCOME_STEPS.filter((step): step is LateStep => step.startsWith('late'));

type LateInputs = {
  routes: Routes;
  /**
   * Share of the flights that depart in the United States, 0 to 1. The usual seasons were measured there, so they are
   * multiplied by this share.
   */
  seasonShare: number;
};

/** A month with flights, or a whole year. The season depth of a whole year is 0. */
type MonthRow = {
  /** Months since January 1970. */
  month: number;
  firstDay: string;
  halfYear: 'S' | 'W';
  depth: number;
  isYear: boolean;
};

type NetworkRow = {
  step: LateStep;
  flights: number | null;
  log_odds: number;
  level: number | null;
  spread: number | null;
};

/** The season of a step: the log-odds that each month adds to the step. */
type StepSeason = {
  step: LateStep;
  /** Log-odds of the step over all months. */
  logOdds: number;
  usualSeason: (month: number) => number;
  /** Effects of the half-years, and the share of these effects that a forecast uses. */
  halfYears: OddsEffects;
  kept: number;
};

/** Columns of cells, with the counts of all steps. The groups of each kind cover all of these cells. */
type StepCells = { columns: Record<string, Float64Array>; kinds: KindGroups[] };

/**
 * Fits the steps from one delay to a longer delay.
 * - Months are compared first, and the comparison allows for airlines and airports. A stormy month therefore does not
 *   count against a group.
 * - Months start from their usual season, because a history often lacks the months to forecast.
 * - If the season of one year differs from the usual season, half of the difference is due to the weather of that year.
 *   With n years of history, the difference therefore gets the weight n / (n + 1).
 * - A source without counts of a step adds nothing to this step.
 */
export async function fitLateSteps(
  db: Database,
  { routes, seasonShare }: LateInputs,
): Promise<{ step: LateStep; fits: OutcomeFit[] }[]> {
  const networks = await db.fileRows<NetworkRow>('outcomes/network');
  const counted = LATE_STEPS.flatMap(
    (step) => networks.find((row) => row.step === step && row.flights) ?? [],
  );
  const months = await db.fileRows<MonthRow>('outcomes/months');
  const monthCells = await readCells(db, 'outcomes/month_cells', LATE_MONTH_KINDS, routes);
  const stepSeasons: StepSeason[] = [];
  for (const network of counted) {
    stepSeasons.push(await fitMonths(db, { network, months, monthCells, seasonShare }));
  }
  const cells = await readCells(db, 'outcomes/cells', LATE_KINDS, routes);
  const leveled = await db.fileRows<NetworkRow>('outcomes/network');
  const fits: { step: LateStep; fits: OutcomeFit[] }[] = [];
  for (const season of stepSeasons) {
    // The worker must renew the lock of its job between the steps, even on a slow machine.
    await setImmediate();
    const network = leveled.find(({ step }) => step === season.step);
    fits.push({
      step: season.step,
      fits: [...seasonFits(season, network), ...groupFits(season.step, cells)],
    });
  }
  return fits;
}

/** Reads cells with the counts of every step and builds their groups. */
async function readCells(
  db: Database,
  file: string,
  kinds: readonly GroupKind[],
  routes: Routes,
): Promise<StepCells> {
  const columns = await db.fileColumns(file);
  const places = columns as CellPlaces;
  return {
    columns,
    kinds: kinds.map((kind) => ({ kind, groups: buildGroups(kind, places, routes) })),
  };
}

/** Selects the cells with flights that could take the step, and their groups. */
function selectStep({ columns, kinds }: StepCells, step: LateStep) {
  const flights = columns[`${step}_flights`] as Float64Array;
  const selected = new Int32Array(flights.length);
  let count = 0;
  for (let cell = 0; cell < flights.length; cell++) {
    if ((flights[cell] as number) > 0) selected[count++] = cell;
  }
  const cells = selected.subarray(0, count);
  return {
    kinds: kinds.map(({ kind, groups }) => ({ kind, groups: selectGroups(groups, cells) })),
    columnOf: (name: string) => {
      const column = columns[name] as Float64Array;
      const values = new Float64Array(count);
      for (let at = 0; at < count; at++) values[at] = column[cells[at] as number] as number;
      return values;
    },
  };
}

type MonthInputs = {
  network: NetworkRow;
  months: MonthRow[];
  monthCells: StepCells;
  seasonShare: number;
};

/** Fits the level of each month and saves it in `outcome_months`. */
async function fitMonths(
  db: Database,
  { network, months: rows, monthCells, seasonShare }: MonthInputs,
): Promise<StepSeason> {
  const { step, log_odds: logOdds } = network;
  const usualSeason = (month: number) => seasonShare * usualSeasonOf(step, month);
  const monthOf = new Map(rows.map((row) => [row.firstDay, row]));
  const wholeYears = new Set(rows.flatMap(({ month, isYear }) => (isYear ? [month] : [])));
  const seasonOf = (month: number) => (wholeYears.has(month) ? 0 : usualSeason(month % MONTHS));
  const { kinds, columnOf } = selectStep(monthCells, step);
  const { effects } = fitOdds(
    {
      ...{ flights: columnOf(`${step}_flights`), delayed: columnOf(`${step}_took`) },
      ...{ seasonDepth: columnOf('depth') },
      logOdds: columnOf('month').map((month) => logOdds + seasonOf(month)),
    },
    kinds,
  );
  const [halfYears, months] = effects.slice(-2) as [OddsEffects, OddsEffects];
  const years = months.keys.filter((day) => monthOf.get(day)?.isYear === false).length / MONTHS;
  const ownSeasons = new Map(
    halfYears.keys.map((key, at) => [key, halfYears.values[at] as number]),
  );
  const kept = years / (years + 1);
  const levels = months.keys.map((day, at) => {
    const { month, halfYear, depth } = monthOf.get(day) as MonthRow;
    const [usual, own] = [seasonOf(month), depth * (ownSeasons.get(halfYear) as number)];
    return {
      level: logOdds + usual + own + (months.values[at] as number),
      season: usual + kept * own,
    };
  });
  await db.append('outcome_months', [
    months.keys.map(() => step),
    months.keys,
    levels.map(({ level }) => level),
    levels.map(({ season }) => season),
  ]);
  return { step, logOdds, usualSeason, halfYears, kept };
}

/** Returns the level of the step and the effects of half-years and months. */
function seasonFits(
  { logOdds, usualSeason, halfYears, kept }: StepSeason,
  network: NetworkRow | undefined,
): OutcomeFit[] {
  const certain = (kind: string, key: string, effect: number) => ({ kind, key, effect, spread: 0 });
  return [
    { kind: 'network', key: '', effect: network?.level ?? logOdds, spread: network?.spread ?? 0 },
    ...halfYears.keys.map((key, at) =>
      certain('half_year', key, kept * (halfYears.values[at] as number)),
    ),
    ...seasons.monthOdds.map((_, month) => certain('month', String(month + 1), usualSeason(month))),
  ];
}

/** Fits the effects of the groups on a step. */
function groupFits(step: LateStep, cells: StepCells): OutcomeFit[] {
  const { kinds, columnOf } = selectStep(cells, step);
  const { effects } = fitOdds(
    {
      ...{ flights: columnOf(`${step}_flights`), delayed: columnOf(`${step}_took`) },
      logOdds: columnOf(`${step}_odds`),
    },
    kinds,
  );
  return effects.flatMap(({ kind, keys, values, spreads }) =>
    keys.map((key, group) => ({
      ...{ kind, key },
      ...{ effect: values[group] as number, spread: spreads[group] as number },
    })),
  );
}

const MONTHS = 12;

/** Returns the log-odds that a month of the year (0 is January) usually adds to a step. */
function usualSeasonOf(step: LateStep, month: number): number {
  return (seasons.slopes[step] ?? 0) * (seasons.monthOdds[month] as number);
}
