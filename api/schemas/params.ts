import type { ParsedUrlQuery } from 'node:querystring';
import { z } from 'zod';
import type { Call } from '../call.ts';
import { RequestError } from '../errors.ts';
import { ignoredParamsHeader, listUnknownParams } from './unknown-params.ts';

/*
 * Metadata of parameters. Callers see `description` and `example`. `wire` is the JSON type in the query, if it is not a
 * string. `unless` names an alternative parameter: without the alternative, this optional parameter is required.
 */

/** IATA airport code in upper or lower case; converted to upper case. */
const airportCode = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'must be an IATA airport code of three letters')
  .transform((code) => code.toUpperCase());

/** IATA code of an airport or of a city, in upper or lower case; converted to upper case. */
export const placeCode = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'must be an IATA code of three letters')
  .transform((code) => code.toUpperCase());

/** IATA airline code in upper or lower case; converted to upper case. */
export const airlineCode = z
  .string()
  .regex(/^[0-9A-Za-z]{2}$/, 'must be an IATA airline code of two characters')
  .transform((code) => code.toUpperCase());

/**
 * Flight number in upper or lower case, with or without a space and leading zeros: `AA4567`, `dl 0423`. Converted to
 * upper case, without space and leading zeros.
 */
export const flightNumber = z
  .string()
  .regex(
    /^(?!\d\d)[0-9A-Za-z]{2} ?(?!0{1,4}$)\d{1,4}$/,
    'must be an airline code of two characters and a number of up to four digits, such as AA4567',
  )
  .transform((text) => `${text.slice(0, 2).toUpperCase()}${Number(text.slice(2))}`);

/** The parameters `origin` and `dest`, shared by the endpoints. */
export const routeParams = z.object({
  origin: airportCode.meta({
    description: 'IATA code of the departure airport.',
    example: 'JFK',
  }),
  dest: airportCode.meta({
    description: 'IATA code of the arrival airport; differs from `origin`.',
    example: 'LAX',
  }),
});

/** A valid calendar date, `YYYY-MM-DD`. */
export const calendarDate = z.iso.date('must be a calendar date, YYYY-MM-DD');

/** A month, `YYYY-MM`. */
export const calendarMonth = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a calendar month, YYYY-MM');

/** A time of the day, `HH:MM`. */
export const localTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a local time, HH:MM, from 00:00 to 23:59');

/** `true`, `false`, `1` or `0`; false if absent. */
export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true' || text === '1')
  .meta({ wire: { type: 'boolean', default: false }, example: false });

/** Parameter `signed`, which requests a signed answer. */
export const signedParam = flag.meta({
  description:
    'Adds the header `X-Signature`, which proves to others that this service gave the answer.',
});

/** Returns whether the call requests a signed answer. The query must already be checked. */
export function isSigned({ signed }: ParsedUrlQuery): boolean {
  return signed === 'true' || signed === '1';
}

/** Returns the schema of a whole number within bounds. The OpenAPI document shows the bounds. */
export function wholeNumber(
  { min, max }: { min: number; max: number },
  meta: { description: string; example: number; wire?: { default: number } },
) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${String(max).length}}$`), error)
    .transform(Number)
    .refine((number) => number >= min && number <= max, { error })
    .meta({ ...meta, wire: { type: 'integer', minimum: min, maximum: max, ...meta.wire } });
}

/** Parameters of an endpoint without parameters. */
export const noParams = z.object({});

/**
 * Parses the parameters of a call. Throws a 400 for a misspelled parameter. Other unknown parameters are ignored and
 * listed in the header `X-Ignored-Parameters`.
 */
export function readCallParams<Shape extends z.ZodRawShape>(
  call: Pick<Call, 'query' | 'set'>,
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const ignored = listUnknownParams(Object.keys(call.query), readerOf(schema).knownNames);
  setIgnoredParams(call, ignored);
  return readParams(call.query, schema);
}

/** Lists ignored parameters in the header of the answer. */
export function setIgnoredParams(call: Pick<Call, 'set'>, ignored: readonly string[]): void {
  if (ignored.length > 0) call.set('X-Ignored-Parameters', ignoredParamsHeader(ignored));
}

/**
 * Parses the parameters of a query. Unknown parameters are ignored, and empty parameters count as absent. Throws a 400
 * for the first parameter that is missing, repeated or malformed, in the order of the schema.
 */
export function readParams<Shape extends z.ZodRawShape>(
  query: ParsedUrlQuery,
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const { names, replaceable, parser } = readerOf(schema);
  const values: Record<string, unknown> = {};
  for (const name of names) {
    values[name] = query[name] === '' ? undefined : query[name];
  }
  const result = parser.safeParse(values);
  const missing = replaceable.find(
    ({ name, unless }) => values[name] === undefined && values[unless] === undefined,
  );
  if (result.success && missing === undefined) {
    return result.data;
  }
  const [issue] = result.error?.issues ?? [];
  const param = firstOf(names, [issue?.path[0], missing?.name]);
  if (values[param] === undefined) {
    throw new RequestError(400, 'missing_parameter', `${param} is missing.`, { param });
  }
  const problem = Array.isArray(values[param]) ? 'is present more than once' : issue?.message;
  throw new RequestError(400, 'invalid_parameter', `${param} ${problem}.`, { param });
}

/** Returns the candidate that comes first in `names`. */
function firstOf(names: readonly string[], candidates: readonly unknown[]): string {
  return names.find((name) => candidates.includes(name)) ?? '';
}

type Reader<Shape extends z.ZodRawShape> = {
  names: string[];
  /** Optional parameters that are required if their alternative (`unless`) is absent. */
  replaceable: { name: string; unless: string }[];
  /** Known names, including `api_key`, which every endpoint accepts. */
  knownNames: ReadonlySet<string>;
  parser: z.ZodObject<Shape>;
};

const readers = new WeakMap<object, Reader<z.ZodRawShape>>();

/** Compiles the schema on first use. A compiled schema parses a query in a third of the time. */
function readerOf<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): Reader<Shape> {
  const compiled = readers.get(schema);
  if (compiled) return compiled as Reader<Shape>;
  const names = Object.keys(schema.shape);
  const replaceable = names.flatMap((name) => {
    const unless = (schema.shape[name] as z.ZodType).meta()?.['unless'];
    return typeof unless === 'string' ? [{ name, unless }] : [];
  });
  const reader = {
    names,
    replaceable,
    knownNames: new Set([...names, 'api_key']),
    parser: z.compile(schema),
  };
  readers.set(schema, reader);
  return reader;
}
