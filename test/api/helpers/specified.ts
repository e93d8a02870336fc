/**
 * The specification's tables, with a check for the value of each field. A value must have exactly the fields of its
 * table, in the same order. `findProblems` lists the differences between a value and its table.
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
export const numberBetween =
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
    Array.isArray(value) && value.every((entry) => findProblems(entry, table).length === 0);

/** `Low` to `Very High`, as in sections 4.1 and 2.4. */
export const label = oneOf('Low', 'Moderate', 'High', 'Very High');

/** Lists the differences between the value and its table, by path; empty when there are none. */
export function findProblems(value: unknown, table: Table, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path} is not an object`];
  const fields = Object.keys(value);
  if (fields.join() !== Object.keys(table).join()) {
    return [`${path} has the fields ${fields.join()}`];
  }
  return Object.entries(table).flatMap(([field, rule]) => {
    const part = (value as Record<string, unknown>)[field];
    if (typeof rule !== 'function') return findProblems(part, rule, `${path}.${field}`);
    return rule(part) ? [] : [`${path}.${field} is ${JSON.stringify(part)}`];
  });
}
