/** Computes a number from the row of features that starts at index `from`; NaN is a missing feature. */
export type RowValue = (rows: Float32Array, from: number) => number;
