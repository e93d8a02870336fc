import { z } from 'zod';

/** What numbers of answers are in; the OpenAPI document and docs/api.md tell it as `x-unit`. */
type Unit =
  | 'points'
  | 'share'
  | '%'
  | 'flights'
  | 'airports'
  | 'airlines'
  | 'routes'
  | 'rows'
  | 'calls'
  | 'items'
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

/** A whole number of 0 to 100 on the scale of the score. */
export const points = z.int().min(0).max(100).meta(inUnit('points'));

/** 0 to 1. */
export const share = z.number().min(0).max(1).meta(inUnit('share'));

/** 0 to 100. */
export const percent = z.number().min(0).max(100).meta(inUnit('%'));

/** A number in that unit. */
export function measure(unit: Unit): z.ZodNumber {
  return z.number().meta(inUnit(unit));
}

/** A whole number from `min` on, in that unit. */
export function count(unit: Unit, min = 0): z.ZodInt {
  return z.int().min(min).meta(inUnit(unit));
}

/** A list of words that may get longer: the document names those known and takes any. */
export function openEnum<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words).meta({ [OPEN]: true });
}

/** `YYYY-MM`. */
export const monthName = z.string().regex(/^\d{4}-\d{2}$/);

/** An instant in UTC. */
export const instant = z.iso.datetime();

/** Mark of an open enum; taken away when the document is made. */
export const OPEN = 'x-open';

function inUnit(unit: Unit): { 'x-unit': Unit } {
  return { 'x-unit': unit };
}
