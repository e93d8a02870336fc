import { buildModel } from '../../warehouse/build/build.ts';
import { MODELS } from '../../warehouse/build/models.ts';
import type { Database } from '../../warehouse/connect.ts';
import { publicHolidays } from '../../warehouse/reference/holidays.ts';
import { atOwnLevel, logLoss, shifted, type Held } from '../../models/evaluate/log-loss.ts';
import type { Fold } from '../../jobs/cli/fit/report.ts';
import { NOTE_MONTHS } from './histories.ts';

/** Days to learn from and days to predict, as conditions on `flight_date`. */
export type Split = { name: string; learn: string; predict: string };

/** Within a region the rest of the year; across regions another year. */
export const DAY_SPLITS: readonly Split[] = [
  {
    name: 'NYC 2017: Jan-Sep -> Oct-Dec',
    learn: `flight_date < '2017-10-01'`,
    predict: `flight_date >= '2017-10-01' and flight_date < '2018-01-01'`,
  },
  {
    name: 'SEA/PDX 2023: Jan-Jul -> Aug-Oct',
    learn: `flight_date >= '2023-01-01' and flight_date < '2023-08-01'`,
    predict: `flight_date >= '2023-08-01'`,
  },
  {
    name: 'both -> the rest of both',
    learn: `flight_date < '2017-10-01' or flight_date >= '2023-01-01' and flight_date < '2023-08-01'`,
    predict: `flight_date >= '2023-08-01' or flight_date >= '2017-10-01' and flight_date < '2018-01-01'`,
  },
  {
    name: 'both -> US Jan, Oct 2018',
    learn: `year(flight_date) <> 2018`,
    predict: `year(flight_date) = 2018`,
  },
  {
    name: 'NYC 2017 -> SEA/PDX 2023',
    learn: `flight_date < '2018-01-01'`,
    predict: `flight_date >= '2023-01-01'`,
  },
  {
    name: 'SEA/PDX 2023 -> NYC 2017',
    learn: `flight_date >= '2023-01-01'`,
    predict: `flight_date < '2018-01-01'`,
  },
];

/** Months are learned from 2018, so any days of another year are held out. */
export const MONTH_SPLITS: readonly Split[] = [
  { name: '2018 -> NYC 2017', learn: 'true', predict: `flight_date < '2018-01-01'` },
  { name: '2018 -> SEA/PDX 2023', learn: 'true', predict: `flight_date >= '2023-01-01'` },
];

/** How much of a holiday's own deviation from the generic window is believed. */
const NAMED_SHARES = [0.25, 0.5];

/** How much of a single year's month is believed: candidates, and what marts.season_odds does. */
const MONTH_SHARES = [0.25, 0.5, 0.75, 1];
const BUILT_SHARE = 0.5;

type Day = {
  airport: string;
  month: string;
  completed: number;
  delayed: number;
  /** Log-odds of each factor that morning. */
  monthly: number;
  weekday: number;
  holiday: number;
  named: number;
};

/** The database as the nightly build needs it: the seed's months, and the holidays of the dated years. */
export async function prepareSeason(db: Database): Promise<void> {
  await db.run(`insert into raw.route_hours from history where year(month) = 2018;
    ${NOTE_MONTHS};
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
 * Log loss per held-out month of the weekday, holiday and named-holiday factors over the airport's own month, which
 * every candidate is told.
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
 * Log loss per airport of the month factor, learned from the one year 2018, over the airport's own level of the period.
 * The nightly build believes a single year by half; the candidates believe it by other shares.
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
      const held: Held[] = group.map((day) => ({ ...day, rate: shifted(rate, shift(day)) }));
      return [name, logLoss(atOwnLevel(held))];
    });
    return { month, flights: completed, losses: new Map(losses) };
  });
}

async function predictedDays(db: Database, { learn, predict }: Split): Promise<Day[]> {
  await db.run(`delete from reference.calendar_days;
    insert into reference.calendar_days from days where ${learn}`);
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
    where days.completed_count > 0 and ${predict}
    order by days.airport, days.flight_date`);
}

/** What each day around each holiday (Thanksgiving, two days before) differed by from weekday and generic window. */
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
