import { buildModel } from '../../warehouse/build/build.ts';
import { MODELS } from '../../warehouse/build/models.ts';
import type { Database } from '../../warehouse/connect.ts';
import {
  shiftToObservedLevel,
  logLoss,
  shiftRate,
  type PredictedGroup,
} from '../../models/evaluate/log-loss.ts';
import type { Fold } from '../../jobs/cli/fit/report.ts';
import { INSERT_LAKE_MONTHS } from './histories.ts';

/** Training days and test days, as conditions on `flight_date`. */
export type Split = { name: string; training: string; test: string };

/**
 * Within a region, the test days follow the training days in the same year. Across regions, the test days are in
 * another year.
 */
export const DAY_SPLITS: readonly Split[] = [
  {
    name: 'NYC 2017: Jan-Sep -> Oct-Dec',
    training: `flight_date < '2017-10-01'`,
    test: `flight_date >= '2017-10-01' and flight_date < '2018-01-01'`,
  },
  {
    name: 'SEA/PDX 2023: Jan-Jul -> Aug-Oct',
    training: `flight_date >= '2023-01-01' and flight_date < '2023-08-01'`,
    test: `flight_date >= '2023-08-01'`,
  },
  {
    name: 'both -> the rest of both',
    training: `flight_date < '2017-10-01' or flight_date >= '2023-01-01' and flight_date < '2023-08-01'`,
    test: `flight_date >= '2023-08-01' or flight_date >= '2017-10-01' and flight_date < '2018-01-01'`,
  },
  {
    name: 'both -> US Jan, Oct 2018',
    training: `year(flight_date) <> 2018`,
    test: `year(flight_date) = 2018`,
  },
  {
    name: 'NYC 2017 -> SEA/PDX 2023',
    training: `flight_date < '2018-01-01'`,
    test: `flight_date >= '2023-01-01'`,
  },
  {
    name: 'SEA/PDX 2023 -> NYC 2017',
    training: `flight_date >= '2023-01-01'`,
    test: `flight_date < '2018-01-01'`,
  },
];

/** The month factor is learned from 2018 only, so all days of other years can be tested. */
export const MONTH_SPLITS: readonly Split[] = [
  { name: '2018 -> NYC 2017', training: 'true', test: `flight_date < '2018-01-01'` },
  { name: '2018 -> SEA/PDX 2023', training: 'true', test: `flight_date >= '2023-01-01'` },
];

/** Candidate weights for a month that was observed in only one year, and the weight that marts.season_odds uses. */
const MONTH_SHARES = [0.25, 0.5, 0.75, 1];
const BUILT_SHARE = 0.5;

type Day = {
  airport: string;
  month: string;
  completed: number;
  delayed: number;
  /** Log-odds of each factor on that day. */
  monthly: number;
  weekday: number;
};

/** Fills the database with the months of the seed, which the nightly build needs. */
export async function prepareSeason(db: Database): Promise<void> {
  await db.run(`insert into raw.route_hours from history where year(month) = 2018;
    ${INSERT_LAKE_MONTHS};
    insert into reference.airports
    select distinct airport, airport, '', 'United States', 'US', 'UTC', 0, 0 from days`);
}

/**
 * Returns the log loss per test month for the weekday factor. Every candidate starts from the airport's actual level in
 * the month, so only the factor makes a difference.
 */
export async function dayFolds(db: Database, split: Split): Promise<Fold[]> {
  const days = await predictedDays(db, split);
  const candidates: Record<string, (day: Day) => number> = {
    none: () => 0,
    weekday: (day) => day.weekday,
  };
  return folds(days, (day) => day.month, candidates);
}

/**
 * Returns the log loss per airport for the month factor. The factor is learned from 2018 only. A candidate is a weight
 * for months that were observed in only one year; the nightly build uses one half. Every candidate starts from the
 * airport's actual level in the period.
 */
export async function monthFolds(db: Database, split: Split): Promise<Fold[]> {
  const days = await predictedDays(db, split);
  const candidates: Record<string, (day: Day) => number> = { none: () => 0 };
  for (const share of MONTH_SHARES) {
    candidates[`${100 * share} %`] = (day) => (share / BUILT_SHARE) * day.monthly;
  }
  return folds(days, () => 'all', candidates);
}

function folds(
  days: Day[],
  levelOf: (day: Day) => string,
  candidates: Record<string, (day: Day) => number>,
): Fold[] {
  const groups = Map.groupBy(days, (day) => `${day.airport} ${levelOf(day)}`);
  return [...groups].map(([month, group]) => {
    const completed = group.reduce((sum, day) => sum + day.completed, 0);
    const rate = (group.reduce((sum, day) => sum + day.delayed, 0) + 0.5) / (completed + 1);
    const losses = Object.entries(candidates).map(([name, shift]): [string, number] => {
      const predicted: PredictedGroup[] = group.map((day) => ({
        ...day,
        rate: shiftRate(rate, shift(day)),
      }));
      return [name, logLoss(shiftToObservedLevel(predicted))];
    });
    return { month, flights: completed, losses: new Map(losses) };
  });
}

async function predictedDays(db: Database, { training, test }: Split): Promise<Day[]> {
  await db.run(`delete from reference.calendar_days;
    insert into reference.calendar_days from days where ${training}`);
  for (const model of MODELS) await buildModel(db, model);
  return db.rows<Day>(`select
      days.airport,
      strftime(days.flight_date, '%Y-%m') as month,
      days.completed_count as completed,
      days.delayed_count as delayed,
      ln(coalesce(months.odds, 1)) as monthly,
      ln(coalesce(weekdays.odds, 1)) as weekday
    from days
    left join marts.season_odds as months on months.kind = 'month' and months.level = month(flight_date)
    left join marts.season_odds as weekdays on weekdays.kind = 'weekday' and weekdays.level = isodow(flight_date)
    where days.completed_count > 0 and ${test}
    order by days.airport, days.flight_date`);
}
