import { dateAt } from '../../../warehouse/ground/dates.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { ENDPOINTS } from '../../openapi/endpoints.ts';
import { isNeeded, moveDatesAhead, type Json } from '../../openapi/json-schema.ts';
import { createRows, type ShownDocument, type ShownParameter } from '../../openapi/rows.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Call, InterfaceData, Parameter } from '../views/interface/interface-data.ts';

/** Data of `/docs`: the API description, arranged for reading. */
export const interfaceEndpoint: Endpoint = {
  path: '/explorer/interface',
  restsOn: 'now',
  answer: (_query, { isExplainEnabled, now }) => {
    const today = dateAt(now());
    if (cache?.today !== today || cache.isExplainEnabled !== isExplainEnabled) {
      cache = { today, isExplainEnabled, data: buildInterface(isExplainEnabled, today) };
    }
    return cache.data;
  },
};

/** Last computed data. They are valid for one day, because the example dates depend on the day. */
let cache: { today: string; isExplainEnabled: boolean; data: InterfaceData } | undefined;

type Response = { description: string; content: Record<string, { example: object }> };

type Document = Omit<ShownDocument, 'paths'> & {
  info: { version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: ShownDocument['components'] & {
    responses: Record<string, Response>;
    headers: Record<string, { description: string }>;
  };
};

type Operation = Json & {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: Json[];
  parameters: ShownParameter[];
  responses: Record<string, Json>;
};

function buildInterface(isExplainEnabled: boolean, today: string): InterfaceData {
  const document = openApiDocument({ isExplainEnabled, today }) as Document;
  const { info, tags, paths, components } = document;
  const rows = createRows(document, (name) => `[${name}](#${name})`);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const calls = operations.map((one) => toCall(one, rows, today));
  const bodies = new Set(calls.map(({ body }) => body.name));
  const groups = tags.map((tag) => ({
    ...tag,
    calls: calls.filter((_, at) => operations[at]?.operation.tags.includes(tag.name)),
  }));
  const parts = Object.keys(components.schemas)
    .filter((name) => !bodies.has(name))
    .map((name) => ({ name, fields: rows.fields(name) }));
  const statuses = operations.flatMap(({ operation }) => Object.entries(operation.responses));
  const refusals = new Map(
    statuses.flatMap(([status, { $ref }]) => {
      const named = components.responses[String($ref).split('/').at(-1) ?? ''];
      return named ? [[status, named] as const] : [];
    }),
  );
  return {
    version: info.version,
    description: info.description,
    groups: groups.filter((group) => group.calls.length > 0),
    parts: parts.filter(({ fields }) => fields.length > 0),
    refusals: [...refusals]
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([status, { description, content }]) => ({
        ...{ status, description },
        example: jsonText(content['application/json']?.example),
      })),
    headers: Object.entries(components.headers).map(([name, { description }]) => ({
      ...{ name, description },
    })),
  };
}

function toCall(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  rows: ReturnType<typeof createRows>,
  today: string,
): Call {
  const { operationId, summary, description, parameters, responses, security } = operation;
  const endpoint = ENDPOINTS.find((one) => one.path === path && (one.method ?? 'get') === method);
  const { name, example } = endpoint?.answer ?? { name: '' };
  const isAdmin = security?.some((one) => 'admin_key' in one) ?? false;
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    key: security?.length === 0 ? 'none' : isAdmin ? 'admin' : 'query',
    isAnnounced: operation['x-availability'] === 'announced',
    parameters: parameters.map((one) => toParameter(one, rows.typeOf(one.schema))),
    body: { name, fields: rows.fields(name), example: moveToYear(jsonText(example), today) },
    refusals: Object.keys(responses).filter((status) => Number(status) >= 400),
  };
}

function toParameter(parameter: ShownParameter, type: string): Parameter {
  const { name, description, schema, example } = parameter;
  return {
    ...{ name, type, description, isRequired: isNeeded(parameter) },
    example: example === undefined ? '' : String(example),
    input: inputOf(schema, example),
  };
}

function inputOf({ type, format }: ShownParameter['schema'], example: unknown): Parameter['input'] {
  if (type === 'boolean') return 'flag';
  if (type === 'integer') return 'number';
  if (format === 'date') return 'date';
  return /^\d\d:\d\d$/.test(String(example)) ? 'time' : 'text';
}

/** Day of the flight in the examples. */
const EXAMPLE_DATE = '2026-03-20';

/** Changes the year of all dates in an example answer to the year in the example request. */
function moveToYear(example: string, today: string): string {
  if (!example.includes(EXAMPLE_DATE)) return example;
  const year = moveDatesAhead(EXAMPLE_DATE, today).slice(0, 4);
  return example.replaceAll(/\b2026(?=-\d\d)/g, year);
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
