import test from 'ava';
import { isNeeded } from '../../api/openapi/json-schema.ts';
import { createRouter } from '../../api/app.ts';
import { ENDPOINTS, routePath } from '../../api/openapi/endpoints.ts';
import { ERROR_CODES } from '../../api/errors.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { EXAMPLES } from '../../api/openapi/examples.ts';
import { anApi, fakeKeys, scoreUrl, someDeps } from './helpers/app.ts';
import {
  DOCUMENT,
  examplePath,
  OPERATIONS,
  problemOf,
  resolved,
  findUndocumented,
  type Document,
} from './helpers/documented.ts';

type Field = {
  $ref?: string;
  type?: string;
  description?: string;
  'x-unit'?: string;
  anyOf?: Field[];
};

const operations = OPERATIONS;

/** Lists the document itself and every object in it. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

test('document and router have the same paths under /api/', (t) => {
  const routes = createRouter(someDeps())
    .stack.flatMap(({ path, methods }) => methods.map((method) => `${method} ${String(path)}`))
    .filter((route) => route.includes(' /api/') && !route.startsWith('HEAD '));
  const documented = operations.map(
    ({ method, path }) => `${method.toUpperCase()} ${routePath(path)}`,
  );
  t.deepEqual(documented.toSorted(), routes.toSorted());
  t.true(routes.length >= 8);
});

test('only endpoints that count calls, and record and coverage, which count requests by address, return 429', (t) => {
  const free = operations.filter(({ responses }) => !('429' in responses));
  t.deepEqual(
    free.map(({ operationId }) => operationId),
    [
      ...['watches', 'watch', 'deleteWatch', 'model', 'keysValidate', 'keysUsage'],
      ...['keysCreate', 'health'],
    ],
  );
});

test('every path accepts the documented parameters, and ignores others', async (t) => {
  const call = anApi();
  for (const operation of operations.filter(({ path }) => path !== '/api/health')) {
    const required = operation.parameters.filter((one) => isNeeded(one) && one.in === 'query');
    const path = examplePath(operation);
    const method = operation.method.toUpperCase() as 'GET';
    for (const { name } of required) {
      const params = new URLSearchParams(
        required
          .filter((other) => other.name !== name)
          .map((other): [string, string] => [other.name, String(other.example)]),
      );
      params.set('api_key', 'x');
      const keys = fakeKeys({ isAdmin: true });
      const answer = await anApi({ keys })(`${path}?${params}`, { method });
      t.like(answer.body, { error: 'missing_parameter', param: name }, `${path} ${name}`);
    }
  }
  const plain = await call(scoreUrl());
  t.deepEqual((await call(scoreUrl({ colour: 'blue' }))).body, plain.body);
});

test('the schemas accept the examples of the parameters', (t) => {
  for (const { path, parameters } of operations) {
    for (const { name, schema, description, example } of parameters) {
      t.true(description.length > 5, `${path} ${name}`);
      t.is(problemOf(schema, example), undefined, name);
    }
  }
});

test('every example response matches its schema', (t) => {
  for (const { path, responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      for (const { schema, example } of Object.values(resolved(response)?.content ?? {})) {
        t.is(problemOf(schema, example), undefined, `${status} ${path}`);
      }
    }
  }
  t.is(Object.keys(EXAMPLES).length, ENDPOINTS.length);
});

test('responses allow new fields and new error codes, so that they break no strict client', (t) => {
  const bodies = objectsIn(DOCUMENT.components.schemas);
  t.deepEqual(
    bodies.filter(({ additionalProperties }) => additionalProperties === false),
    [],
  );
  const { error } = (DOCUMENT.components.schemas['Error'] as { properties: { error: object } })
    .properties;
  t.like(error, { type: 'string', 'x-extensible-enum': [...ERROR_CODES] });
  t.false('enum' in error);
});

test('every response field has a description, and every number a unit', (t) => {
  let count = 0;
  for (const { properties } of objectsIn(DOCUMENT.components.schemas)) {
    for (const [name, field] of Object.entries((properties ?? {}) as Record<string, Field>)) {
      count += 1;
      const part = DOCUMENT.components.schemas[String(field.$ref).split('/').at(-1) ?? ''] as Field;
      t.regex(field.description ?? part?.description ?? '', /^[^ ].{3,}\.$/s, name);
      const plain = field.anyOf?.[0] ?? field;
      const isNumber = ['number', 'integer'].includes(String(plain.type));
      // The seed of a training is a number without a unit.
      if (isNumber && name !== 'seed') t.truthy(plain['x-unit'], name);
    }
  }
  t.true(count > 120);
});

test('parameters have the JSON type that their text represents', (t) => {
  const types = operations.flatMap(({ parameters }) =>
    parameters.map(({ name, schema }) => `${name}: ${(schema as { type?: string }).type}`),
  );
  t.deepEqual([...new Set(types)].filter((one) => !one.endsWith(': string')).toSorted(), [
    'band: boolean',
    'flights: array',
    'inbound_delay: integer',
    'inbound_delays: array',
    'include: array',
    'legs: array',
    'limit: integer',
    'mct: integer',

    'month: integer',
    'monthly_limit: integer',
    'months: integer',
    'news: boolean',
    'points: integer',
    'refresh: boolean',
    'signed: boolean',
    'year: integer',
  ]);
});

test('an announced endpoint is marked only while it is switched off', (t) => {
  const explainOf = (isExplainEnabled: boolean) => {
    const { paths } = openApiDocument({ isExplainEnabled }) as { paths: Document['paths'] };
    return paths['/api/explain']?.['get'] as object;
  };
  t.like(explainOf(false), { tags: ['Announced'], 'x-availability': 'announced' });
  t.regex((explainOf(false) as { summary: string }).summary, /not available/);
  t.like(explainOf(true), { tags: ['Scores'] });
  t.false('x-availability' in explainOf(true));
});

test('every reference has a target, and every shared part is referenced', (t) => {
  const references = new Set(
    objectsIn(DOCUMENT).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])),
  );
  const sharedParts = ['schemas', 'responses', 'headers'].flatMap((kind) =>
    Object.keys(DOCUMENT.components[kind as 'schemas']).map(
      (name) => `#/components/${kind}/${name}`,
    ),
  );
  t.deepEqual([...references].toSorted(), sharedParts.toSorted());
});

test('an undocumented response is detected', async (t) => {
  const { body, headers } = await anApi()(scoreUrl());
  t.is(findUndocumented('GET', '/api/score', { status: 200, headers, body }), undefined);
  const problems: [number, object][] = [
    [418, body],
    [200, { ...body, extra: 1 }],
    [200, { ...body, score: 100.5 }],
    [200, { ...body, label: undefined }],
    [400, body],
  ];
  for (const [status, changed] of problems) {
    const answer = { status, headers, body: changed as Record<string, unknown> };
    t.is(typeof findUndocumented('GET', '/api/score', answer), 'string', String(status));
  }
  const bare = { status: 200, headers: {}, body };
  t.regex(findUndocumented('GET', '/api/score', bare) ?? '', /no header X-Request-Id/);
});
