import { z } from 'zod';

/** Units of numbers in responses, shown as `x-unit` in the OpenAPI document and in docs/api.md. */
type Unit =
  | 'points'
  | 'share'
  | 'ratio'
  | '%'
  | 'amount'
  | 'nats'
  | 'flights'
  | 'airports'
  | 'airlines'
  | 'routes'
  | 'rows'
  | 'calls'
  | 'answers'
  | 'items'
  | 'messages'
  | 'watches'
  | 'months'
  | 'days'
  | 'hours'
  | 'minutes'
  | '°C'
  | 'km/h'
  | 'mm'
  | 'year'
  | 'month of the year'
  | 'day of the week'
  | 'hour of the day';

/** A whole number from 0 to 100 on the scale of the score. */
export const points = z.int().min(0).max(100).meta(unitMeta('points'));

/** A share from 0 to 1. */
export const share = z.number().min(0).max(1).meta(unitMeta('share'));

/** A percentage from 0 to 100. */
export const percent = z.number().min(0).max(100).meta(unitMeta('%'));

/** Returns the schema of a number in a unit. */
export function measure(unit: Unit): z.ZodNumber {
  return z.number().meta(unitMeta(unit));
}

/** Returns the schema of a whole number in a unit. `min` is the smallest allowed number. */
export function count(unit: Unit, min = 0): z.ZodInt {
  return z.int().min(min).meta(unitMeta(unit));
}

/** Returns the schema of a word list that may grow. The OpenAPI document lists the known words but allows others. */
export function openEnum<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words).meta({ [OPEN]: true });
}

/** A month, `YYYY-MM`. */
export const monthName = z.string().regex(/^\d{4}-\d{2}$/);

/** A time in UTC. */
export const instant = z.iso.datetime();

/** Marks an open word list inside a schema. The OpenAPI document does not contain the mark. */
export const OPEN = 'x-open';

function unitMeta(unit: Unit): { 'x-unit': Unit } {
  return { 'x-unit': unit };
}
