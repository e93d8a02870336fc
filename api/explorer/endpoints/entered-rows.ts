import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { attempt, prefixRefusal } from '../../errors.ts';
import { MAX_FLIGHTS } from '../../schemas/flight-text.ts';
import { readParams } from '../../schemas/params.ts';
import { resolveEntered, type EnteredFlight } from './entered-flight.ts';
import { withoutNumber } from './numbered-flight.ts';

/**
 * Parses the rows of a form with several flights: `origin1`, `dest1`, `origin2` and so on. Rows without airports are
 * skipped. The first field of a row may contain a flight number instead. Error messages name the number of the flight,
 * and `param` names the field.
 */
export function readRows<Shape extends z.ZodRawShape>(
  query: ParsedUrlQuery,
  schema: z.ZodObject<Shape>,
  whole: ScoreStore,
): z.output<z.ZodObject<Shape>>[] {
  return rowNumbers(query).map((number) => {
    const names = Object.keys(schema.shape);
    const row = Object.fromEntries(names.map((name) => [name, query[`${name}${number}`]]));
    return namingRow(number, () => readParams(withoutNumber(row, whole), schema));
  });
}

/** Returns the numbers of the rows that name an airport. */
export function rowNumbers(query: ParsedUrlQuery): number[] {
  return Array.from({ length: MAX_FLIGHTS }, (_, at) => at + 1).filter(
    (number) => Boolean(query[`origin${number}`]) || Boolean(query[`dest${number}`]),
  );
}

/** Runs `work`. If `work` throws a `RequestError`, the number of the flight is added to the message. */
export function namingRow<T>(number: number, work: () => T): T {
  const result = attempt(work);
  if (result.isGood) return result.value;
  throw refusalOf(number, result.error);
}

/** Resolves the flight in a row. Error messages begin with the number of the flight. */
export async function resolveRow(
  number: number,
  entered: EnteredFlight,
  { deps, whole }: { deps: ApiDeps; whole: ScoreStore },
) {
  try {
    return await resolveEntered(entered, deps, whole);
  } catch (error) {
    throw refusalOf(number, error);
  }
}

/** Adds the number of the flight to the message and the parameter name of a refusal. */
function refusalOf(number: number, error: unknown): unknown {
  return prefixRefusal(error, `Flight ${number}`, (param) => `${param}${number}`);
}
