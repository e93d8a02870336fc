import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { HEADERS, QUOTA_HEADERS } from './headers.ts';
import { bodySchemas, parametersOf, SCHEMAS, type Json } from './json-schema.ts';
import { REFUSALS } from './refusals.ts';
import { operationIdOf } from './snippets.ts';

/** Of the interface; docs/api-changes.md has an entry for each. */
export const INTERFACE_VERSION = '0.2.0';

const TAGS: Record<Endpoint['tag'] | 'Announced', string> = {
  Scores: 'The delay risk of flights.',
  News: 'What may disrupt them.',
  Keys: 'Keys, and what was used of their quota.',
  Service: 'The service itself.',
  Announced: 'What is not available yet.',
};

/** What differs from server to server. */
export type Offer = {
  /** Whether `/api/explain` answers. */
  explains: boolean;
};

/** The API as an OpenAPI 3.1 document, made of the schemas that read requests and describe answers. */
export function openApiDocument(offer: Offer = { explains: false }): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headwind',
      version: INTERFACE_VERSION,
      summary: 'Flight-delay risk scores from historical flights, weather and news',
      description:
        'Every call is a GET with its parameters in the query string. Codes are taken in any case and echoed in upper ' +
        'case; a parameter given twice is refused, an unknown one ignored. Booleans may also be 1 or 0. Only 2xx answers ' +
        'count against the quota. Answers may get more fields, and open lists of words (x-extensible-enum) more words: ' +
        'clients ignore what they do not know.',
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ api_key: [] }],
    paths: Object.fromEntries(
      ENDPOINTS.map((endpoint) => [endpoint.path, { get: operation(endpoint, offer) }]),
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

function operation(endpoint: Endpoint, offer: Offer): Json {
  const { path, key, params } = endpoint;
  return {
    operationId: operationIdOf(path),
    ...said(endpoint, offer),
    ...(key === 'none' && { security: [] }),
    ...(key === 'admin' && { security: [{ admin_key: [] }, { api_key: [] }] }),
    parameters: params ? parametersOf(params) : [],
    responses: responsesOf(endpoint, offer),
  };
}

/** An announced endpoint that this server has not switched on says so before all else. */
function said({ tag, summary, description, isAnnounced }: Endpoint, { explains }: Offer): Json {
  if (isAnnounced !== true || explains) return { tags: [tag], summary, description };
  return {
    tags: ['Announced'],
    summary: `Announced, not available: ${lowerFirst(summary)}`,
    description: `Not available: this server answers 501 \`not_available\`, which does not count. What is planned: ${description}`,
    'x-availability': 'announced',
  };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function responsesOf(endpoint: Endpoint, { explains }: Offer): Json {
  const { answer, key, isFree, isAnnounced, refusals = [], hasStoreVersion } = endpoint;
  const headers = [
    'X-Request-Id',
    ...(key === 'none' ? [] : QUOTA_HEADERS),
    ...(hasStoreVersion ? ['X-Store-Version'] : []),
  ];
  const good = {
    description: isAnnounced === true && !explains ? 'Planned; not answered yet.' : 'OK',
    headers: headerRefs(headers),
    content: {
      'application/json': {
        schema: { $ref: SCHEMAS + answer.name },
        example: answer.example,
      },
    },
  };
  if (key === 'none') {
    const away = { ...good, headers: headerRefs([...headers, 'Retry-After']) };
    return { 200: good, ...refusalRefs([405, 500]), 503: { ...away, description: 'Unavailable' } };
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
