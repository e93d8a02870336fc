import test from 'ava';
import { z } from 'zod';
import { DOCUMENT } from './helpers/documented.ts';

// The parts of the OpenAPI 3.1 specification that the document uses; a field of no part is a mistake.
const reference = z.strictObject({ $ref: z.string().startsWith('#/components/') });

const dialect = {
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).min(1).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
  required: z.array(z.string()).optional(),
  // Open only where it is a map, as of metrics.
  additionalProperties: z.literal(false).or(z.strictObject({})).optional(),
  const: z.union([z.boolean(), z.string()]).optional(),
};

const schema: z.ZodType = z.lazy(() =>
  z.strictObject({
    ...dialect,
    properties: z.record(z.string(), schema).optional(),
    propertyNames: schema.optional(),
    items: schema.optional(),
    anyOf: z.array(schema).min(1).optional(),
  }),
);

const header = z.strictObject({ description: z.string(), schema });

const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), reference),
  content: z.strictObject({
    'application/json': z.strictObject({ schema, example: z.looseObject({}) }),
  }),
});

const parameter = z.strictObject({
  name: z.string(),
  in: z.literal('query'),
  required: z.boolean(),
  description: z.string(),
  example: z.string().optional(),
  schema,
});

const requirement = z
  .record(z.enum(['api_key', 'admin_key']), z.tuple([]))
  .or(z.strictObject({ api_key: z.tuple([]).optional(), admin_key: z.tuple([]).optional() }));

const tag = z.enum(['Scores', 'News', 'Keys', 'Service']);

const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z-]+$/),
  tags: z.array(tag).length(1),
  summary: z.string(),
  description: z.string(),
  security: z.array(requirement).optional(),
  parameters: z.array(parameter),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), z.union([reference, response])),
});

const document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.string().regex(/^\d+\.\d+\.\d+$/),
    summary: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.string() })).min(1),
  tags: z.array(z.strictObject({ name: tag })),
  security: z.array(requirement),
  paths: z.record(z.string().startsWith('/'), z.strictObject({ get: operation })),
  components: z.strictObject({
    securitySchemes: z.record(
      z.string(),
      z.strictObject({
        type: z.literal('apiKey'),
        in: z.enum(['query', 'header']),
        name: z.string(),
        description: z.string(),
      }),
    ),
    schemas: z.record(z.string().regex(/^[\w.-]+$/), schema),
    responses: z.record(z.string().regex(/^[\w.-]+$/), response),
    headers: z.record(z.string().regex(/^[\w.-]+$/), header),
  }),
});

test('the document is built as OpenAPI 3.1 wants it', (t) => {
  const read = document.safeParse(DOCUMENT);
  t.true(read.success, read.success ? '' : z.prettifyError(read.error));
});

test('operations and the parameters of each have names of their own', (t) => {
  const operations = Object.values(DOCUMENT.paths).map(({ get }) => get);
  const ids = operations.map(({ operationId }) => operationId);
  t.is(new Set(ids).size, ids.length);
  for (const { operationId, parameters } of operations) {
    t.is(new Set(parameters.map(({ name }) => name)).size, parameters.length, operationId);
  }
});

test('every operation has an answer that is good', (t) => {
  for (const [path, { get }] of Object.entries(DOCUMENT.paths)) {
    t.true('200' in get.responses, path);
  }
});

test('patterns of the document are regular expressions that any validator takes', (t) => {
  const patterns = [...JSON.stringify(DOCUMENT).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
  t.true(patterns.length > 5);
  for (const [, text = ''] of patterns) {
    t.notThrows(() => new RegExp(JSON.parse(text) as string, 'u'));
  }
});
