import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { HEADERS, QUOTA_HEADERS } from './headers.ts';
import { bodySchemas, parametersOf, pathParametersOf, SCHEMAS, type Json } from './json-schema.ts';
import { REFUSALS } from './refusals.ts';
import { operationIdOf } from './snippets.ts';

/** Version of the interface; docs/api-changes.md describes each version. */
export const INTERFACE_VERSION = '0.4.0';

const TAGS: Record<Endpoint['tag'] | 'Announced', string> = {
  Scores: 'The delay risk of flights.',
  News: 'News that may disrupt flights.',
  Watches: 'Messages about changed scores.',
  Keys: 'API keys and their use.',
  Service: 'State of the service and its model.',
  Announced: 'Announced, not available yet.',
};

/** Options that may differ between servers. */
export type Offer = {
  /** Whether `/api/explain` is switched on. */
  isExplainEnabled: boolean;
  /** Today (`YYYY-MM-DD`). Dates in examples are moved after this day. Without `today`, they do not change. */
  today?: string;
};

/** Returns the OpenAPI 3.1 document of the API, built from the schemas of requests and responses. */
export function openApiDocument(offer: Offer = { isExplainEnabled: false }): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headwind',
      version: INTERFACE_VERSION,
      summary: 'Flight-delay risk scores from historical flights, weather and news',
      description:
        'Every call has its parameters in the query string. Codes are case-insensitive and returned in upper case. ' +
        'A repeated or misspelled parameter is refused; other unknown parameters are ignored and listed in the header ' +
        'X-Ignored-Parameters. Booleans may also be 1 or 0. Only 2xx responses count against the quota. New fields may be ' +
        'added to responses, and new words to open lists (x-extensible-enum): clients must ignore unknown ones.',
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ api_key: [] }],
    paths: pathsOf(offer),
    components: {
      securitySchemes: {
        api_key: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'A key: hw_live_… or hw_test_…. Keep it out of client-side code.',
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

function pathsOf(offer: Offer): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const endpoint of ENDPOINTS) {
    const { path, method = 'get' } = endpoint;
    paths[path] = { ...paths[path], [method]: operation(endpoint, offer) };
  }
  return paths;
}

function operation(endpoint: Endpoint, offer: Offer): Json {
  const { path, id = operationIdOf(path), key, params } = endpoint;
  return {
    operationId: id,
    ...textsOf(endpoint, offer),
    ...(key === 'none' && { security: [] }),
    ...(key === 'admin' && { security: [{ admin_key: [] }, { api_key: [] }] }),
    parameters: [...pathParametersOf(path), ...(params ? parametersOf(params, offer.today) : [])],
    responses: responsesOf(endpoint, offer),
  };
}

/** Returns tags, summary and description. If the endpoint is switched off, the texts mention this. */
function textsOf(
  { tag, summary, description, isAnnounced }: Endpoint,
  { isExplainEnabled }: Offer,
): Json {
  if (isAnnounced !== true || isExplainEnabled) return { tags: [tag], summary, description };
  return {
    tags: ['Announced'],
    summary: `Announced, not available: ${lowerFirst(summary)}`,
    description: `Not available: this server answers 501 \`not_available\`, which is free. Planned: ${description}`,
    'x-availability': 'announced',
  };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function responsesOf(endpoint: Endpoint, { isExplainEnabled }: Offer): Json {
  const {
    answer,
    key,
    isFree,
    isProbe,
    isAnnounced,
    refusals = [],
    hasStoreVersion,
    isCacheable,
  } = endpoint;
  const headers = [
    'X-Request-Id',
    ...(key === 'none' ? [] : QUOTA_HEADERS),
    ...(hasStoreVersion ? ['X-Store-Version'] : []),
    'X-Ignored-Parameters',
    ...(isCacheable ? ['ETag', 'Cache-Control', 'X-Signature'] : []),
  ];
  const success = {
    description: isAnnounced === true && !isExplainEnabled ? 'Planned; not available yet.' : 'OK',
    headers: headerRefs(headers),
    content: {
      'application/json': {
        schema: { $ref: SCHEMAS + answer.name },
        example: answer.example,
      },
    },
  };
  if (isProbe) {
    const unavailable = { ...success, headers: headerRefs([...headers, 'Retry-After']) };
    return {
      200: success,
      ...refusalRefs([405, 500]),
      503: { ...unavailable, description: 'Unavailable' },
    };
  }
  const common = key === 'none' ? [400, 405, 500] : [400, 401, 405, 500, 503];
  const isCounted = key !== 'none' && !isFree;
  const specific = [...(key === 'admin' ? [403] : []), ...(isCounted ? [429] : []), ...refusals];
  const notModified = {
    description: 'The response with the ETag in `If-None-Match` has not changed. Free.',
    headers: headerRefs(headers),
  };
  return {
    200: success,
    ...(isCacheable && { 304: notModified }),
    ...refusalRefs([...common, ...specific]),
  };
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
