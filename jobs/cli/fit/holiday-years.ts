import { buildModel } from '../../../warehouse/build/build.ts';
import type { Database } from '../../../warehouse/connect.ts';
import { expit } from '../../../warehouse/ground/log-odds.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';

/**
 * Changes in log loss per flight on the days of one year. The holiday effects are fitted only to the other years. A
 * change below 0 is an improvement.
 */
export type HeldOutYear = {
  year: number;
  days: number;
  flights: number;
  /** For each share in `SHARES`, the change if this share of the effects is used. */
  changes: Change[];
};

/** A change with its standard error over days. */
export type Change = { mean: number; error: number };

/** Shares of the holiday effects that are tested. The mart uses one of these shares. */
export const SHARES = [0.25, 0.5, 0.75, 1];

/**
 * A day of a series. `usual` is the log-odds of delay that the month and weekday predict. `effect` is the effect of the
 * holiday.
 */
type SeriesDay = { date: string; flights: number; late: number; usual: number; effect: number };

/**
 * SQL condition that selects the tested days, mostly by their distance from a holiday. `days` is the distance in days.
 */
const TESTED_DAYS = `
  (holiday = 'Thanksgiving Day' and days in (0, 1, 3))
  or (holiday = 'Independence Day' and days = 0)
  or (holiday in ('Memorial Day', 'Labor Day') and days = -1)
  or (holiday = 'Easter Sunday' and days = -2)
  or (month(flight_date) = 12 and day(flight_date) in (20, 21, 22, 23, 26, 27, 28, 29, 30))
  or (month(flight_date) = 1 and day(flight_date) in (2, 3, 4))`;

/** Forecasts the days of each year in turn, with the evidence of the other years only. */
export async function changeByYear(db: Database): Promise<HeldOutYear[]> {
  await db.run('set variable holiday_share = 1');
  await db.run('create temp table all_evidence as from reference.holiday_evidence');
  const years = await db.rows<{ year: number }>(
    'select distinct year(flight_date) as year from holiday_series order by year',
  );
  const results: HeldOutYear[] = [];
  for (const { year } of years) {
    await db.run(
      `delete from reference.holiday_evidence;
       insert into reference.holiday_evidence from all_evidence where year(flight_date) <> $year`,
      { year },
    );
    for (const model of MODELS) await buildModel(db, model);
    const days = await db.rows<SeriesDay>(
      `select series.flight_date as date, flights::double as flights, late::double as late,
         usual_log_odds as usual, coalesce(holiday_days.log_odds, 0) as effect
       from holiday_series as series
       left join marts.holiday_days using (flight_date)
       where year(flight_date) = $year and (${TESTED_DAYS})`,
      { year },
    );
    if (days.length > 0) results.push(changeOf(year, days));
  }
  return results;
}

const MODELS = ['intermediate/int_holiday_evidence', 'marts/holiday_effects', 'marts/holiday_days'];

function changeOf(year: number, seriesDays: readonly SeriesDay[]): HeldOutYear {
  const byDate = [...Map.groupBy(seriesDays, ({ date }) => date).values()];
  const flights = sum(seriesDays.map((day) => day.flights));
  const changes = SHARES.map((share) => {
    const days = byDate.map((same) => sum(same.map((day) => lossChange(day, share))) / flights);
    const { mean, error } = meanOf(days);
    return { mean: days.length * mean, error: days.length * error };
  });
  return { year, days: byDate.length, flights, changes };
}

/** Returns the mean of the values and the standard error of the mean. */
export function meanOf(values: readonly number[]): Change {
  const mean = sum(values) / values.length;
  const squares = sum(values.map((value) => (value - mean) ** 2));
  return { mean, error: Math.sqrt(squares / values.length / Math.max(1, values.length - 1)) };
}

function lossChange({ flights, late, usual, effect }: SeriesDay, share: number): number {
  const loss = (rate: number) => -late * Math.log(rate) - (flights - late) * Math.log(1 - rate);
  return loss(expit(usual + share * effect)) - loss(expit(usual));
}
