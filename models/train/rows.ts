import { DAY_FEATURES, FEATURES } from '../features.ts';

/** What a model learns from: rows of like flights, each with how many there were and how many of them were delayed. */
export type TrainingRows = {
  count: number;
  /** Row after row, in the order of `FEATURES`; what shifts a whole day is 0 here, as the month's level stands for it. */
  features: Float32Array;
  /** Flights of the row, weighted by recency. */
  flights: Float64Array;
  delayed: Float64Array;
  /** Months since January 1970. */
  month: Float64Array;
  /** Log-odds of delay in the row's own month. */
  monthLogOdds: Float64Array;
  /** What the season makes of the month, in log-odds against an average one. */
  season: Float64Array;
};

/** The rows as `training/rows.sql` gives them, column by column. */
export function trainingRows(columns: Record<string, Float64Array>): TrainingRows {
  const column = (name: string): Float64Array => {
    const values = columns[name];
    if (!values) throw new TypeError(`training rows lack ${name}`);
    return values;
  };
  const flights = column('flight_count');
  const count = flights.length;
  const features = new Float32Array(count * FEATURES.length);
  for (const [at, { name }] of FEATURES.entries()) {
    if (DAY_FEATURES.some((day) => day === name)) continue;
    const values = column(name);
    for (let row = 0; row < count; row++) {
      features[row * FEATURES.length + at] = values[row] as number;
    }
  }
  return {
    count,
    features,
    flights,
    delayed: column('delayed_count'),
    month: column('month_number'),
    monthLogOdds: column('month_log_odds'),
    season: column('month_odds'),
  };
}

/** The rows for which the condition on their month holds, in order. */
export function rowsWhere(rows: TrainingRows, keep: (month: number) => boolean): TrainingRows {
  const kept: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    if (keep(rows.month[row] as number)) kept.push(row);
  }
  const width = FEATURES.length;
  const features = new Float32Array(kept.length * width);
  for (const [at, row] of kept.entries()) {
    features.set(rows.features.subarray(row * width, (row + 1) * width), at * width);
  }
  const pick = (values: Float64Array) => Float64Array.from(kept, (row) => values[row] as number);
  return {
    count: kept.length,
    features,
    flights: pick(rows.flights),
    delayed: pick(rows.delayed),
    month: pick(rows.month),
    monthLogOdds: pick(rows.monthLogOdds),
    season: pick(rows.season),
  };
}
