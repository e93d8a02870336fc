import { stat } from 'node:fs/promises';
import path from 'node:path';
import { buildModel } from '../../../warehouse/build/build.ts';
import { listModelsFor } from '../../../warehouse/build/models.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { openDatabase, type Database } from '../../../warehouse/connect.ts';
import { addHolidays } from '../../../warehouse/reference/holiday-table.ts';
import { HOLIDAY_EVIDENCE_FILE } from '../../../warehouse/reference/load.ts';
import { table } from '../tables.ts';
import { changeByYear, meanOf, SHARES, type Change, type HeldOutYear } from './holiday-years.ts';

/** Years `[from, until)` of the daily series. */
const YEARS = { from: 2008, until: 2027 };

/** Maps each variable of `seed/holiday_series.sql` to its file in the public data. */
const SOURCES = {
  series_file: 'days/daily_series.csv.gz',
  baltimore_file: 'flights/bwi_2021.parquet',
  phoenix_houston_file: 'flights/phx_iah_2019_12.csv.gz',
};

/**
 * Writes the evidence for the effects of holidays and prints the effects. Tests the effects of each year with the
 * evidence of the other years.
 */
export async function writeHolidayEvidence(dataDir: string): Promise<void> {
  const db = await openDatabase({ threads: 1 });
  try {
    await migrate(db);
    await addHolidays(db, { countryCodes: ['US'], ...YEARS });
    await buildModel(db, 'intermediate/int_holiday_windows');
    const sources = Object.entries(SOURCES).map(([name, file]) => [name, path.join(dataDir, file)]);
    await db.setVariables({ ...Object.fromEntries(sources), target: HOLIDAY_EVIDENCE_FILE });
    await db.runFile('seed/holiday_series');
    await db.run(`${INSERT_EVIDENCE};
      copy (from reference.holiday_evidence order by all) to (getvariable('target'))
      (format parquet, compression zstd, compression_level 19)`);
    const { size } = await stat(HOLIDAY_EVIDENCE_FILE);
    console.log(`written to ${HOLIDAY_EVIDENCE_FILE}, ${size} bytes`);
    await printEffects(db);
    printYears(await changeByYear(db));
  } finally {
    db.close();
  }
}

const INSERT_EVIDENCE = `
  insert into reference.holiday_evidence by name
  select 'US' as country_code, holiday, days, flight_date, series, log_odds, variance
  from holiday_series where days is not null and log_odds is not null and variance is not null`;

async function printEffects(db: Database): Promise<void> {
  for (const model of listModelsFor('marts/holiday_effects')) await buildModel(db, model);
  const rows = await db.rows<
    Record<'holiday' | 'days' | 'years' | 'mean' | 'between' | 'used', string>
  >(
    `select holiday, days::varchar as days, year_count::varchar as years,
       format('{:.2f} ± {:.2f}', mean, standard_error) as mean,
       format('{:.2f}', between_years) as between, format('{:.2f}', log_odds) as used
     from marts.holiday_effects where log_odds <> 0
     order by holiday, holiday_effects.days`,
  );
  console.log('Log-odds of delay relative to the month and weekday:');
  console.log(
    table(
      ['holiday', 'days', 'years', 'mean', 'between years', 'used'],
      rows.map(({ holiday, days, years, mean, between, used }) => [
        holiday,
        days,
        years,
        mean,
        between,
        used,
      ]),
    ),
  );
}

function printYears(years: readonly HeldOutYear[]): void {
  const cell = ({ mean, error }: Change) =>
    `${(1e4 * mean).toFixed(0)} ± ${(1e4 * error).toFixed(0)}`;
  const means = SHARES.map((_, at) =>
    meanOf(years.map(({ changes }) => (changes[at] as Change).mean)),
  );
  const counts = SHARES.map((_, at) => {
    const own = years.map(({ changes }) => changes[at] as Change);
    const better = own.filter(({ mean, error }) => mean < -2 * error).length;
    const worse = own.filter(({ mean, error }) => mean > error).length;
    return `${better}, ${worse}`;
  });
  console.log(
    'How the effects of holidays change the log loss, in 1/10,000 nat per flight. Below 0 is better. Each year is forecast with the effects from the flights of the other years. These effects are multiplied by 0.25, 0.5, 0.75 or 1:',
  );
  console.log(
    table(
      ['year', 'days', 'flights', ...SHARES.map(String)],
      [
        ...years.map(({ year, days, flights, changes }) => [
          String(year),
          String(days),
          flights.toLocaleString('en-US'),
          ...changes.map(cell),
        ]),
        ['mean', '', '', ...means.map(cell)],
        ['years better by over 2 standard errors, and years worse by over 1', '', '', ...counts],
      ],
    ),
  );
}
