import { buildModel } from '../../warehouse/build/build.ts';
import { MODELS } from '../../warehouse/build/models.ts';
import type { Database } from '../../warehouse/connect.ts';
import { publicHolidays } from '../../warehouse/reference/holidays.ts';
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

/** The month factor is learned from 2018, so all days of other years can be tested. */
export const MONTH_SPLITS: readonly Split[] = [
  { name: '2018 -> NYC 2017', training: 'true', test: `flight_date < '2018-01-01'` },
  { name: '2018 -> SEA/PDX 2023', training: 'true', test: `flight_date >= '2023-01-01'` },
];

/** Candidate weights for the difference between a named holiday and an average holiday. */
const NAMED_SHARES = [0.25, 0.5];

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
  holiday: number;
  named: number;
};

/**
 * Fills the database with the data that the nightly build needs: the seed's months, and the holidays of 2016 to 2025.
 */
export async function prepareSeason(db: Database): Promise<void> {
  await db.run(`insert into raw.route_hours from history where year(month) = 2018;
    ${INSERT_LAKE_MONTHS};
    create table named_holidays (country_code varchar, holiday_date date, name varchar)`);
  for (const { countryCode, date, name } of publicHolidays(['US'], 2016, 2025)) {
    await db.run('insert into named_holidays values ($countryCode, $date::date, $name)', {
      countryCode,
      date,
      name,
    });
  }
  await db.run(`insert into reference.holidays select country_code, holiday_date from named_holidays;
    insert into reference.airports
    select distinct airport, airport, '', 'United States', 'US', 'UTC', 0, 0 from days`);
}

/**
 * Returns the log loss per test month for the weekday, holiday and named-holiday factors. The loss is relative to the
 * airport's actual level in the month, which every candidate gets.
 */
export async function dayFolds(db: Database, split: Split): Promise<Fold[]> {
  const days = await predictedDays(db, split);
  const candidates: Record<string, (day: Day) => number> = {
    none: () => 0,
    weekday: (day) => day.weekday,
    holiday: (day) => day.holiday,
    'weekday, holiday': (day) => day.weekday + day.holiday,
  };
  for (const share of NAMED_SHARES) {
    candidates[`… ${100 * share} % named`] = (day) => day.weekday + day.holiday + share * day.named;
  }
  return folds(days, (day) => day.month, candidates);
}

/**
 * Returns the log loss per airport for the month factor, which is learned from 2018 alone. The loss is relative to the
 * airport's actual level in the period. The nightly build gives a single year the weight one half; each candidate has a
 * different weight.
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
  return db.rows<Day>(`${NAMED_EFFECTS} select
      days.airport,
      strftime(days.flight_date, '%Y-%m') as month,
      days.completed_count as completed,
      days.delayed_count as delayed,
      ln(coalesce(months.odds, 1)) as monthly,
      ln(coalesce(weekdays.odds, 1)) as weekday,
      ln(coalesce(holidays.odds, 1)) as holiday,
      coalesce(named.effect, 0) as named
    from days
    left join marts.season_odds as months on months.kind = 'month' and months.level = month(flight_date)
    left join marts.season_odds as weekdays on weekdays.kind = 'weekday' and weekdays.level = isodow(flight_date)
    left join windows using (flight_date)
    left join marts.season_odds as holidays on holidays.kind = 'holiday' and holidays.level = windows.days
    left join named on named.name = windows.name and named.days = windows.days
    where days.completed_count > 0 and ${test}
    order by days.airport, days.flight_date`);
}

/**
 * For each day around each named holiday (for example, two days before Thanksgiving), selects the part of the day's
 * effect that weekday and average holiday do not explain.
 */
const NAMED_EFFECTS = `
  with windows as (
    select
      around.flight_date,
      around.days,
      named_holidays.name
    from marts.holiday_windows as around
    inner join named_holidays
      on named_holidays.holiday_date = around.flight_date - around.days::integer
    where around.country_code = 'US'
  ),
  named as (
    select
      windows.name,
      windows.days,
      avg(
        calendar.log_odds
        - ln(coalesce(weekdays.odds, 1)) - ln(coalesce(holidays.odds, 1))
      ) as effect
    from intermediate.int_calendar_days as calendar
    inner join windows using (flight_date)
    left join marts.season_odds as weekdays
      on weekdays.kind = 'weekday' and weekdays.level = isodow(flight_date)
    left join marts.season_odds as holidays
      on holidays.kind = 'holiday' and holidays.level = windows.days
    group by all
  )`;
