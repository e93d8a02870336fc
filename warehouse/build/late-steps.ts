import seasons from './late-seasons.json' with { type: 'json' };
import type { Database } from '../connect.ts';
import {
  LATE_KINDS,
  LATE_MONTH_KINDS,
  OUTCOME_STEPS,
  type OutcomeStep,
} from '../store/outcome-kinds.ts';
import type { Cells, Routes } from './effect-groups.ts';
import { fitOdds, type OddsEffects } from './fit-odds.ts';

/** A row of the table `outcome_fits`, without the column `step`. */
export type OutcomeFit = { kind: string; key: string; effect: number; spread: number };

/** A step from one delay to a longer delay. */
export type LateStep = Exclude<OutcomeStep, 'cancelled' | 'diverted'>;

export const LATE_STEPS = OUTCOME_STEPS.filter((step): step is LateStep => step.startsWith('late'));

type LateStepInputs = {
  step: LateStep;
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

type NetworkRow = { flights: number | null; log_odds: number; level: number; spread: number };

/**
 * Fits one step from one delay to a longer delay.
 * - Months are compared first, given airlines and airports, so that a stormy month does not count against a group.
 * - Months start from their usual season, because a history often lacks the months to forecast.
 * - Half of a year's difference from the usual season is due to the weather of that year. With n years of history, the
 *   difference therefore gets the weight n / (n + 1).
 * - A source without counts of the step adds nothing.
 */
export async function fitLateStep(
  db: Database,
  { step, routes, seasonShare }: LateStepInputs,
): Promise<OutcomeFit[]> {
  await db.run('delete from outcome_months');
  const [network] = await db.fileRows<NetworkRow>('outcomes/network', { step });
  if (!network?.flights) return [];
  const usualSeason = (month: number) => seasonShare * usualSeasonOf(step, month);
  const rows = await db.fileRows<MonthRow>('outcomes/months');
  const monthOf = new Map(rows.map((row) => [row.firstDay, row]));
  const wholeYears = new Set(rows.flatMap(({ month, isYear }) => (isYear ? [month] : [])));
  const seasonOf = (month: number) => (wholeYears.has(month) ? 0 : usualSeason(month % MONTHS));
  const log_odds = network.log_odds;
  const byMonth = (await db.fileColumns('outcomes/month_cells', { step, log_odds })) as Cells;
  byMonth.logOdds = byMonth.logOdds.map(
    (value, cell) => value + seasonOf(byMonth.month[cell] as number),
  );
  const { effects } = fitOdds(byMonth, routes, LATE_MONTH_KINDS);
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
      level: log_odds + usual + own + (months.values[at] as number),
      season: usual + kept * own,
    };
  });
  await db.append('outcome_months', [
    months.keys,
    levels.map(({ level }) => level),
    levels.map(({ season }) => season),
  ]);
  const cells = (await db.fileColumns('outcomes/cells', { step })) as Cells;
  const [leveled] = await db.fileRows<NetworkRow>('outcomes/network', { step });
  const certain = (kind: string, key: string, effect: number) => ({ kind, key, effect, spread: 0 });
  return [
    { kind: 'network', key: '', effect: leveled?.level ?? log_odds, spread: leveled?.spread ?? 0 },
    ...halfYears.keys.map((key) =>
      certain('half_year', key, kept * (ownSeasons.get(key) as number)),
    ),
    ...seasons.monthOdds.map((_, month) => certain('month', String(month + 1), usualSeason(month))),
    ...fitOdds(cells, routes, LATE_KINDS).effects.flatMap(({ kind, keys, values, spreads }) =>
      keys.map((key, group) => ({
        ...{ kind, key },
        ...{ effect: values[group] as number, spread: spreads[group] as number },
      })),
    ),
  ];
}

const MONTHS = 12;

/** Returns how much a month of the year (0 is January) usually adds to the log-odds of a step. */
function usualSeasonOf(step: LateStep, month: number): number {
  return (seasons.slopes[step] ?? 0) * (seasons.monthOdds[month] as number);
}
