/**
 * Tables of the specification as checks of values, by field. A table says exactly which fields there are and in which
 * order; `problems` lists what in a value is not as its table says.
 */
export type Check = (value: unknown) => boolean;
export type Table = { [field: string]: Check | Table };

export const text: Check = (value) => typeof value === 'string' && value !== '';
export const flag: Check = (value) => typeof value === 'boolean';
export const float: Check = (value) => Number.isFinite(value);
export const instant: Check = (value) =>
  typeof value === 'string' && new Date(value).toISOString() === value;
export const integer =
  (min: number, max = Infinity): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
export const within =
  (min: number, max: number): Check =>
  (value) =>
    float(value) && Number(value) >= min && Number(value) <= max;
export const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const listOf =
  (table: Table): Check =>
  (value) =>
    Array.isArray(value) && value.every((entry) => problems(entry, table).length === 0);

/** `Low` to `Very High`, as 4.1 and 2.4 name them. */
export const label = oneOf('Low', 'Moderate', 'High', 'Very High');

/** What in the value is not as its table says, by path; none when all is. */
export function problems(value: unknown, table: Table, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path} is no object`];
  const fields = Object.keys(value);
  if (fields.join() !== Object.keys(table).join()) {
    return [`${path} has the fields ${fields.join()}`];
  }
  return Object.entries(table).flatMap(([field, rule]) => {
    const part = (value as Record<string, unknown>)[field];
    if (typeof rule !== 'function') return problems(part, rule, `${path}.${field}`);
    return rule(part) ? [] : [`${path}.${field} is ${JSON.stringify(part)}`];
  });
}
