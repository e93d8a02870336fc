import { z } from 'zod';
import { airlineEntry, formerAirline } from '../schemas/airlines.ts';
import { alternative, city } from '../schemas/alternatives.ts';
import { calendarDay } from '../schemas/calendar.ts';
import { errorBody } from '../schemas/error.ts';
import { OPEN } from '../schemas/field.ts';
import { usageEntry } from '../schemas/keys.ts';
import { itineraryConnection, itineraryLeg } from '../schemas/itinerary.ts';
import { label, componentKey } from '../schemas/label.ts';
import { newsItem } from '../schemas/news.ts';
import { component, dataSource, place, stats, weather } from '../schemas/score.ts';
import { ENDPOINTS } from './endpoints.ts';
import { watchEntry } from '../schemas/watches.ts';
import { WATCH_ID } from './watch-examples.ts';

/** An object of the OpenAPI document. */
export type Json = { [name: string]: unknown };

/** Prefix of references to schemas in the document. */
export const SCHEMAS = '#/components/schemas/';

/** Named parts of bodies. Generated clients define a type for each part. */
const PARTS: Record<string, z.ZodType> = {
  Label: label,
  DataSource: dataSource,
  ComponentKey: componentKey,
  Stats: stats,
  Component: component,
  Weather: weather,
  Place: place,
  NewsItem: newsItem,
  AirlineEntry: airlineEntry,
  FormerAirline: formerAirline,
  CalendarDay: calendarDay,
  Alternative: alternative,
  City: city,
  ItineraryLeg: itineraryLeg,
  ItineraryConnection: itineraryConnection,
  WatchEntry: watchEntry,
  UsageEntry: usageEntry,
  Error: errorBody,
};

/**
 * OpenAPI extension for an optional parameter. It names an alternative parameter. If a call lacks the alternative, the
 * optional parameter is required.
 */
export const UNLESS = 'x-required-unless';

/** Returns whether a call without the alternative parameter must have this parameter. */
export function isNeeded(parameter: { required: boolean; [UNLESS]?: string }): boolean {
  return parameter.required || parameter[UNLESS] !== undefined;
}

/**
 * Returns the query parameters in OpenAPI's format. Schemas describe the values as sent in the query. If `today` is
 * set, dates in examples are moved after that day.
 */
export function parametersOf(params: z.ZodObject, today?: string): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(params, {
    io: 'input',
    override: tidy,
  });
  return Object.entries(properties).map(([name, property]) => {
    const { description, example, wire, unless, ...text } = property as Json;
    const schema = (wire ?? text) as Json;
    return {
      name,
      in: 'query',
      description,
      required: required.includes(name),
      ...(unless !== undefined && { [UNLESS]: unless }),
      // Lists are comma-separated: `a,b`.
      ...(schema['type'] === 'array' && { style: 'form', explode: false }),
      schema,
      ...(example !== undefined && { example: exampleAhead(example, today) }),
    };
  });
}

/** Path parameters, by name. */
const PATH_PARAMETERS: Record<string, { description: string; example: string }> = {
  id: { description: 'Id of the watch.', example: WATCH_ID },
};

/** Returns the path parameters in OpenAPI's format. */
export function pathParametersOf(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    ...PATH_PARAMETERS[name],
  }));
}

function exampleAhead(example: unknown, today: string | undefined): unknown {
  if (today === undefined) return example;
  if (Array.isArray(example)) return example.map((one) => exampleAhead(one, today));
  return typeof example === 'string' ? moveDatesAhead(example, today) : example;
}

/**
 * Returns the schemas of bodies and their parts, by name. Schemas refer to each other by name and allow additional
 * fields.
 */
export function bodySchemas(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(PARTS)) registry.add(schema, { id });
  for (const { answer } of ENDPOINTS) registry.add(answer.schema, { id: answer.name });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (name) => SCHEMAS + name,
    override: tidy,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}

/**
 * Allows additional fields and additional enum words. Removes details that zod adds: patterns that repeat a format, and
 * the bounds of safe integers.
 */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema[OPEN] === true) {
    // `x-extensible-enum` means that words may be added later. The name comes from Zalando's API guidelines.
    jsonSchema['x-extensible-enum'] = jsonSchema.enum;
    delete jsonSchema.enum;
    delete jsonSchema[OPEN];
  }
  if (jsonSchema.format !== undefined) {
    delete jsonSchema.pattern;
  }
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
    delete jsonSchema.maximum;
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
    delete jsonSchema.minimum;
  }
}

/** Moves dates and months in an example to their next occurrence. A test call is then about a future flight. */
export function moveDatesAhead(example: string, today: string): string {
  const year = Number(today.slice(0, 4));
  return example.replaceAll(/\b\d{4}((?:-\d\d){1,2})(?!\d)/g, (_, monthAndDay: string) =>
    `${year}${monthAndDay}` < today.slice(0, 4 + monthAndDay.length)
      ? `${year + 1}${monthAndDay}`
      : `${year}${monthAndDay}`,
  );
}
