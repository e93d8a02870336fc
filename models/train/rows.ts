import { DAY_FEATURES, FEATURES } from '../features.ts';

/** Rows of like flights, each with how many there were and how many of them were delayed. */
export type Rows = {
  count: number;
  /** Row after row, in the order of `FEATURES`; what shifts a whole day is 0 here, as the month's level stands for it. */
  features: Float32Array;
  /** Sum of the row's effects: by how much the statistics expect its log-odds to differ from the month's. */
  effects: Float64Array;
  flights: Float64Array;
  delayed: Float64Array;
  /** Months since January 1970. */
  month: Float64Array;
  /** What the season makes of the month, in log-odds against an average one. */
  season: Float64Array;
  /** By how much the row's flights were later than such flights are now, by the levels; NaN where none is known. */
  levelShift: Float64Array;
};

/** What a model is fitted on. */
export type TrainingRows = {
  /** Months with the effects known before them: what the effects leave to be learned. Empty for a short history. */
  forecast: Rows;
  /** The newest months with the effects that are served. */
  served: Rows;
};

/** The rows as `training/rows.sql` gives them, column by column. */
export function trainingRows(columns: Record<string, Float64Array>): TrainingRows {
  const all = rowsOf(columns);
  const isForecast = columnOf(columns, 'is_forecast');
  return {
    forecast: rowsWhere(all, (row) => isForecast[row] === 1),
    served: rowsWhere(all, (row) => isForecast[row] === 0),
  };
}

function rowsOf(columns: Record<string, Float64Array>): Rows {
  const flights = columnOf(columns, 'flight_count');
  const count = flights.length;
  const features = new Float32Array(count * FEATURES.length);
  const effects = new Float64Array(count);
  for (const [at, { name }] of FEATURES.entries()) {
    if (DAY_FEATURES.some((day) => day === name)) continue;
    const values = columnOf(columns, name);
    for (let row = 0; row < count; row++) {
      const value = values[row] as number;
      features[row * FEATURES.length + at] = value;
      if (isEffect(name) && !Number.isNaN(value)) effects[row] = (effects[row] as number) + value;
    }
  }
  return {
    count,
    features,
    effects,
    flights,
    delayed: columnOf(columns, 'delayed_count'),
    month: columnOf(columns, 'month_number'),
    season: columnOf(columns, 'month_odds'),
    levelShift: columnOf(columns, 'level_shift'),
  };
}

/** Whether a feature is an effect: log-odds that add up as they are. */
export function isEffect(name: string): boolean {
  return name.endsWith('_effect');
}

/** The rows for whose numbers the condition holds, in order. */
export function rowsWhere(rows: Rows, keep: (row: number) => boolean): Rows {
  const kept = Array.from({ length: rows.count }, (_, row) => row).filter(keep);
  const width = FEATURES.length;
  const features = new Float32Array(kept.length * width);
  for (const [at, row] of kept.entries()) {
    features.set(rows.features.subarray(row * width, (row + 1) * width), at * width);
  }
  const pick = (values: Float64Array) => Float64Array.from(kept, (row) => values[row] as number);
  return {
    count: kept.length,
    features,
    effects: pick(rows.effects),
    flights: pick(rows.flights),
    delayed: pick(rows.delayed),
    month: pick(rows.month),
    season: pick(rows.season),
    levelShift: pick(rows.levelShift),
  };
}

function columnOf(columns: Record<string, Float64Array>, name: string): Float64Array {
  const values = columns[name];
  if (!values) throw new TypeError(`training rows lack ${name}`);
  return values;
}
