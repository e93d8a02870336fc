import test from 'ava';
import { createRouter } from '../../api/app.ts';
import { ENDPOINTS } from '../../api/openapi/endpoints.ts';
import { ERROR_CODES } from '../../api/errors.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { EXAMPLES } from '../../api/openapi/examples.ts';
import { anApi, fakeKeys, scoreUrl, someDeps } from './helpers/app.ts';
import { DOCUMENT, problemOf, resolved, undescribed, type Document } from './helpers/documented.ts';

type Field = {
  $ref?: string;
  type?: string;
  description?: string;
  'x-unit'?: string;
  anyOf?: Field[];
};

const operations = Object.entries(DOCUMENT.paths).map(([path, { get }]) => ({ path, ...get }));

/** Every object within, the document itself included. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

test('the document has every route under /api/, and the router every path of the document', (t) => {
  const routes = createRouter(someDeps())
    .stack.map((layer) => String(layer.path))
    .filter((path) => path.startsWith('/api/'));
  t.deepEqual(Object.keys(DOCUMENT.paths).toSorted(), routes.toSorted());
  t.true(routes.length >= 8);
});

test('only what costs calls can be 429', (t) => {
  const free = operations.filter(({ responses }) => !('429' in responses));
  t.deepEqual(
    free.map(({ path }) => path),
    ['/api/model', '/api/keys/validate', '/api/keys/usage', '/api/keys/create', '/api/health'],
  );
});

test('every path takes the parameters the document names, and no others change its answer', async (t) => {
  const call = anApi();
  for (const { path, parameters } of operations.filter(({ path }) => path !== '/api/health')) {
    for (const { name } of parameters.filter(({ required }) => required)) {
      const given = new URLSearchParams(
        parameters
          .filter((other) => other.required && other.name !== name)
          .map((other): [string, string] => [other.name, exampleOf(path, other.name)]),
      );
      given.set('api_key', 'x');
      const keys = fakeKeys({ isAdmin: true });
      const answer = await anApi({ keys })(`${path}?${given}`);
      t.like(answer.body, { error: 'missing_parameter', param: name }, `${path} ${name}`);
    }
  }
  const plain = await call(scoreUrl());
  t.deepEqual((await call(scoreUrl({ colour: 'blue' }))).body, plain.body);
});

function exampleOf(path: string, name: string): string {
  return String(DOCUMENT.paths[path]?.get.parameters.find((other) => other.name === name)?.example);
}

test('the examples of the parameters are ones the schemas take', (t) => {
  for (const { path, parameters } of operations) {
    for (const { name, schema, description, example } of parameters) {
      t.true(description.length > 5, `${path} ${name}`);
      t.is(problemOf(schema, example), undefined, name);
    }
  }
});

test('every example answer has the shape the document gives it', (t) => {
  for (const { path, responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      for (const { schema, example } of Object.values(resolved(response)?.content ?? {})) {
        t.is(problemOf(schema, example), undefined, `${status} ${path}`);
      }
    }
  }
  t.is(Object.keys(EXAMPLES).length, ENDPOINTS.length);
});

test('answers are open, so that a new field or word breaks no strict client', (t) => {
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

test('every field of every answer has a description, and every number its unit', (t) => {
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

test('parameters have the types their text stands for', (t) => {
  const types = operations.flatMap(({ parameters }) =>
    parameters.map(({ name, schema }) => `${name}: ${(schema as { type?: string }).type}`),
  );
  t.deepEqual([...new Set(types)].filter((one) => !one.endsWith(': string')).toSorted(), [
    'flights: array',
    'include: array',
    'month: integer',
    'monthly_limit: integer',
    'news: boolean',
    'refresh: boolean',
    'year: integer',
  ]);
});

test('what is announced is marked where it is switched off, and not where it is on', (t) => {
  const of = (explains: boolean) => {
    const { paths } = openApiDocument({ explains }) as { paths: Document['paths'] };
    return paths['/api/explain']?.get as object;
  };
  t.like(of(false), { tags: ['Announced'], 'x-availability': 'announced' });
  t.regex((of(false) as { summary: string }).summary, /not available/);
  t.like(of(true), { tags: ['Scores'] });
  t.false('x-availability' in of(true));
});

test('every reference leads to something, and everything kept for reference is referred to', (t) => {
  const references = new Set(
    objectsIn(DOCUMENT).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])),
  );
  const kept = ['schemas', 'responses', 'headers'].flatMap((kind) =>
    Object.keys(DOCUMENT.components[kind as 'schemas']).map(
      (name) => `#/components/${kind}/${name}`,
    ),
  );
  t.deepEqual([...references].toSorted(), kept.toSorted());
});

test('an answer the document does not describe is noticed', async (t) => {
  const { body, headers } = await anApi()(scoreUrl());
  t.is(undescribed('GET', '/api/score', { status: 200, headers, body }), undefined);
  const problems: [number, object][] = [
    [418, body],
    [200, { ...body, extra: 1 }],
    [200, { ...body, score: 100.5 }],
    [200, { ...body, label: undefined }],
    [400, body],
  ];
  for (const [status, changed] of problems) {
    const answer = { status, headers, body: changed as Record<string, unknown> };
    t.is(typeof undescribed('GET', '/api/score', answer), 'string', String(status));
  }
  const bare = { status: 200, headers: {}, body };
  t.regex(undescribed('GET', '/api/score', bare) ?? '', /no header X-Request-Id/);
});
