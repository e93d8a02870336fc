/** A number made of the row of features that begins at that place; NaN in it is a missing feature. */
export type RowValue = (rows: Float32Array, from: number) => number;
