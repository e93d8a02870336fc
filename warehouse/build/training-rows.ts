import type { Database } from '../connect.ts';
import { estimateEffects } from './effects.ts';
import { historySha256 } from '../lake/history.ts';

/** Training data of a model, read from a warehouse with built models. */
export type TrainingData = {
  /** Columns of `training/rows.sql`. */
  columns: Record<string, Float64Array>;
  /**
   * Months of history, `YYYY-MM`, ascending. Training rows come from the newest months. Older months influence the
   * model only through the effects.
   */
  months: string[];
  /** SHA-256 of the sources of the history. */
  dataSha256: string;
  /**
   * Completed flights used as training rows, and the months (`YYYY-MM`), airports, carriers and routes that these
   * flights cover.
   */
  coverage: {
    first: string;
    last: string;
    flights: number;
    airports: number;
    carriers: number;
    routes: number;
  };
  /** Number of days with dated flights. Weekday odds come from these days. */
  calendarDays: number;
  /** Number of flights in each class of delay. */
  outlook: {
    under15: number;
    from15to30: number;
    from30to60: number;
    from60to120: number;
    over120: number;
  };
};

/** Reads the training data of a model. The temporary tables of the effects remain. */
export async function readTrainingData(db: Database): Promise<TrainingData> {
  const history = await db.rows<{ month: string; source: string }>(
    `select strftime(month, '%Y-%m') as month, source_sha256 as source from raw.lake_months order by month`,
  );
  const forecast = await db.rows<{ quarter: string }>(
    `select distinct quarter::varchar as quarter from intermediate.int_training_months
     where is_forecast order by quarter desc`,
  );
  await estimateEffects(
    db,
    forecast.map(({ quarter }) => quarter),
  );
  const columns = await db.fileColumns('training/rows');
  const [calendar] = await db.rows<{ days: number }>(
    'select count(distinct flight_date) as days from intermediate.int_calendar_days',
  );
  const [outlook] = await db.fileRows<Record<string, number>>('training/outlook');
  return {
    columns,
    months: history.map(({ month }) => month),
    dataSha256: historySha256(history),
    coverage: await readCoverage(db),
    calendarDays: calendar?.days ?? 0,
    outlook: {
      under15: outlook?.under15_count ?? 0,
      from15to30: outlook?.from15to30_count ?? 0,
      from30to60: outlook?.from30to60_count ?? 0,
      from60to120: outlook?.from60to120_count ?? 0,
      over120: outlook?.over120_count ?? 0,
    },
  };
}

async function readCoverage(db: Database): Promise<TrainingData['coverage']> {
  type Row = { first_month: string | null; last_month: string | null } & Record<
    CountColumn,
    number
  >;
  type CountColumn = 'flight_count' | 'airport_count' | 'carrier_count' | 'route_count';
  const [row] = await db.fileRows<Row>('training/coverage');
  return {
    first: row?.first_month ?? '',
    last: row?.last_month ?? '',
    flights: row?.flight_count ?? 0,
    airports: row?.airport_count ?? 0,
    carriers: row?.carrier_count ?? 0,
    routes: row?.route_count ?? 0,
  };
}
