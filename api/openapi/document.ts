import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { HEADERS, QUOTA_HEADERS } from './headers.ts';
import { bodySchemas, parametersOf, SCHEMAS, type Json } from './json-schema.ts';
import { REFUSALS } from './refusals.ts';

/** The API as an OpenAPI 3.1 document, made of the schemas that read requests and describe answers. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headwind',
      version: '0.1.0',
      summary: 'Flight-delay risk scores from historical flights, weather and news',
      description:
        'Every call is a GET with its parameters in the query string. Codes are taken in any case and echoed in upper ' +
        'case; a parameter given twice is refused, an unknown one ignored. Only 2xx answers count against the quota.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: ['Scores', 'News', 'Keys', 'Service'].map((name) => ({ name })),
    security: [{ api_key: [] }],
    paths: Object.fromEntries(
      ENDPOINTS.map((endpoint) => [endpoint.path, { get: operation(endpoint) }]),
    ),
    components: {
      securitySchemes: {
        api_key: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'hw_live_… or hw_test_…; keep it out of client-side code.',
        },
        admin_key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Admin-Key',
          description: 'An admin key, for /api/keys/create only.',
        },
      },
      schemas: bodySchemas(),
      responses: Object.fromEntries(
        Object.values(REFUSALS).map(({ name, description, example, headers = [] }) => [
          name,
          {
            description,
            headers: headerRefs(['X-Request-Id', ...headers]),
            content: { 'application/json': { schema: { $ref: `${SCHEMAS}Error` }, example } },
          },
        ]),
      ),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, { description, type }]) => [
          name,
          { description, schema: { type } },
        ]),
      ),
    },
  };
}

function operation(endpoint: Endpoint): Json {
  const { path, tag, summary, description, key, params } = endpoint;
  return {
    operationId: path.replace('/api/', '').replaceAll('/', '-'),
    tags: [tag],
    summary,
    description,
    ...(key === 'none' && { security: [] }),
    ...(key === 'admin' && { security: [{ admin_key: [] }, { api_key: [] }] }),
    parameters: params ? parametersOf(params) : [],
    responses: responsesOf(endpoint),
  };
}

function responsesOf(endpoint: Endpoint): Json {
  const { answer, key, isFree, refusals = [], hasStoreVersion } = endpoint;
  const headers = [
    'X-Request-Id',
    ...(key === 'none' ? [] : QUOTA_HEADERS),
    ...(hasStoreVersion ? ['X-Store-Version'] : []),
  ];
  const good = {
    description: 'OK',
    headers: headerRefs(headers),
    content: {
      'application/json': {
        schema: { $ref: SCHEMAS + answer.name },
        example: answer.example,
      },
    },
  };
  if (key === 'none') {
    return { 200: good, ...refusalRefs([405, 500]), 503: { ...good, description: 'Unavailable' } };
  }
  const usual = [400, 401, 405, 500, 503];
  const own = [...(key === 'admin' ? [403] : []), ...(isFree ? [] : [429]), ...refusals];
  return { 200: good, ...refusalRefs([...usual, ...own]) };
}

function refusalRefs(statuses: number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { $ref: `#/components/responses/${REFUSALS[status]?.name}` },
    ]),
  );
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
