import { DAY_FEATURES, FEATURES } from '../features.ts';

/** Rows of similar flights. Each row has the number of flights and the number of delayed flights. */
export type Rows = {
  count: number;
  /**
   * One row after another, with the features in the order of `FEATURES`. Features of a whole day are 0 here, because
   * the level of the month already includes them.
   */
  features: Float32Array;
  /** Sum of the row's effects: the expected log-odds relative to the level of the month. */
  effects: Float64Array;
  flights: Float64Array;
  delayed: Float64Array;
  /** Months since January 1970. */
  month: Float64Array;
  /** Seasonal log-odds of the month, relative to an average month. */
  season: Float64Array;
  /** Change of the level in log-odds, from the row's month to now. NaN if no level is known. */
  levelShift: Float64Array;
};

/** The rows a model is fitted on. */
export type TrainingRows = {
  /**
   * Rows with the effects as they were known before the month of the row. The trees learn what these effects leave
   * unexplained. Empty if the history is short.
   */
  forecast: Rows;
  /** Rows of the newest months, with the effects that the store publishes. */
  served: Rows;
};

/** Converts the columns of `training/rows.sql` to rows. */
export function toTrainingRows(columns: Record<string, Float64Array>): TrainingRows {
  const isForecast = columnOf(columns, 'is_forecast');
  return {
    forecast: rowsOf(
      columns,
      rowNumbersWhere(isForecast.length, (row) => isForecast[row] === 1),
    ),
    served: rowsOf(
      columns,
      rowNumbersWhere(isForecast.length, (row) => isForecast[row] === 0),
    ),
  };
}

/** Converts the rows with these indexes. */
function rowsOf(columns: Record<string, Float64Array>, rowNumbers: Uint32Array): Rows {
  const count = rowNumbers.length;
  const features = new Float32Array(count * FEATURES.length);
  const effects = new Float64Array(count);
  for (const [at, { name }] of FEATURES.entries()) {
    if (DAY_FEATURES.some((day) => day === name)) continue;
    const values = columnOf(columns, name);
    for (let row = 0; row < count; row++) {
      const value = values[rowNumbers[row] as number] as number;
      features[row * FEATURES.length + at] = value;
      if (isEffect(name) && !Number.isNaN(value)) effects[row] = (effects[row] as number) + value;
    }
  }
  const pick = (name: string) => pickRows(columnOf(columns, name), rowNumbers);
  return {
    count,
    features,
    effects,
    flights: pick('flight_count'),
    delayed: pick('delayed_count'),
    month: pick('month_number'),
    season: pick('month_odds'),
    levelShift: pick('level_shift'),
  };
}

/** Whether a feature is an effect: log-odds that can be summed directly. */
export function isEffect(name: string): boolean {
  return name.endsWith('_effect');
}

/** Selects the rows whose row number matches the predicate, in order. */
export function rowsWhere(rows: Rows, predicate: (row: number) => boolean): Rows {
  const rowNumbers = rowNumbersWhere(rows.count, predicate);
  const width = FEATURES.length;
  const features = new Float32Array(rowNumbers.length * width);
  for (const [at, row] of rowNumbers.entries()) {
    features.set(rows.features.subarray(row * width, (row + 1) * width), at * width);
  }
  const pick = (values: Float64Array) => pickRows(values, rowNumbers);
  return {
    count: rowNumbers.length,
    features,
    effects: pick(rows.effects),
    flights: pick(rows.flights),
    delayed: pick(rows.delayed),
    month: pick(rows.month),
    season: pick(rows.season),
    levelShift: pick(rows.levelShift),
  };
}

/** Returns the indexes of the matching rows, in order. */
function rowNumbersWhere(count: number, predicate: (row: number) => boolean): Uint32Array {
  const rowNumbers = new Uint32Array(count);
  let found = 0;
  for (let row = 0; row < count; row++) if (predicate(row)) rowNumbers[found++] = row;
  return rowNumbers.slice(0, found);
}

function pickRows(values: Float64Array, rowNumbers: Uint32Array): Float64Array {
  const picked = new Float64Array(rowNumbers.length);
  for (const [at, row] of rowNumbers.entries()) picked[at] = values[row] as number;
  return picked;
}

function columnOf(columns: Record<string, Float64Array>, name: string): Float64Array {
  const values = columns[name];
  if (!values) throw new TypeError(`training rows lack ${name}`);
  return values;
}
