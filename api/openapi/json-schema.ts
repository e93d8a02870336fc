import { z } from 'zod';
import { errorBody } from '../schemas/error.ts';
import { ENDPOINTS } from './endpoints.ts';

/** A part of the document. */
export type Json = { [name: string]: unknown };

/** Where the document keeps the schemas of bodies. */
export const SCHEMAS = '#/components/schemas/';

/** The parameters of a query as OpenAPI lists them. */
export function parametersOf(params: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(params, {
    io: 'input',
    override: tidy,
  });
  return Object.entries(properties).map(([name, property]) => {
    const { description, example, ...schema } = property as Json;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      schema,
    };
  });
}

/** The bodies by name; where one holds another it refers to it. */
export function bodySchemas(): Json {
  const named = z.registry<{ id: string }>();
  named.add(errorBody, { id: 'Error' });
  for (const { answer } of ENDPOINTS) {
    named.add(answer.schema, { id: answer.name });
  }
  const { schemas } = z.toJSONSchema(named, {
    io: 'output',
    uri: (name) => SCHEMAS + name,
    override: tidy,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}

/** Leaves out what zod adds for its own sake: patterns that repeat a format, and the bounds of safe integers. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
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
