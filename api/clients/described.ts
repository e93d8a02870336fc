import { ENDPOINTS } from '../openapi/endpoints.ts';
import { openApiDocument } from '../openapi/document.ts';
import { operationIdOf } from '../openapi/snippets.ts';
import { SCHEMAS } from '../openapi/json-schema.ts';

/** A schema of the document, as far as clients have types for it. */
export type Described = {
  $ref?: string;
  type?: string | string[];
  const?: string | boolean;
  enum?: string[];
  'x-unit'?: string;
  description?: string;
  properties?: Record<string, Described>;
  required?: string[];
  items?: Described;
  anyOf?: Described[];
};

export type Parameter = {
  name: string;
  required: boolean;
  description: string;
  schema: Described;
};

/** An endpoint as clients call it. */
export type Operation = {
  id: string;
  path: string;
  summary: string;
  parameters: Parameter[];
  /** Name of its answer. */
  answer: string;
  /** Statuses that bring that answer. */
  accepted: number[];
  /** Asked twice, it would do twice what it does. */
  isOnce: boolean;
};

type Document = {
  info: { version: string };
  paths: Record<string, { get: { parameters: Parameter[] } }>;
  components: { schemas: Record<string, Described> };
};

const { info, paths, components } = openApiDocument({ explains: true }) as Document;

/** Of the interface that clients are made for. */
export const VERSION = info.version;

/** The bodies and their parts by name. */
export const BODIES = components.schemas;

/** What can be called, in the order of docs/api.md. */
export const OPERATIONS: Operation[] = ENDPOINTS.map(({ path, answer, key, ...said }) => ({
  id: operationIdOf(path),
  path,
  summary:
    said.isAnnounced === true
      ? `${said.summary}: announced, 501 where it is not switched on`
      : said.summary,
  parameters: paths[path]?.get.parameters ?? [],
  answer: answer.name,
  // Only health needs no key, and its 503 tells what is wrong.
  accepted: key === 'none' ? [200, 503] : [200],
  isOnce: key === 'admin',
}));

/** The name a client gives a body: one called Error would hide that of the language. */
export function typeName(name: string): string {
  return name === 'Error' ? 'ErrorBody' : name;
}

/** The name that a reference leads to. */
export function referred(reference: string): string {
  return typeName(reference.slice(SCHEMAS.length));
}

/** The same schema without null, and whether it may be null. */
export function withoutNull(schema: Described): { schemas: Described[]; isNullable: boolean } {
  const types = [schema.type].flat();
  if (types.length > 1) {
    const type = types.filter((one) => one !== 'null')[0] ?? 'string';
    return { schemas: [{ ...schema, type }], isNullable: types.includes('null') };
  }
  const choices = schema.anyOf ?? [schema];
  const schemas = choices.filter(({ type }) => type !== 'null');
  return { schemas, isNullable: schemas.length < choices.length };
}

/** What a field is, in a line, with its unit in brackets. */
export function said({ description = '', 'x-unit': own, anyOf }: Described): string {
  const unit = own ?? anyOf?.flatMap((one) => one['x-unit'] ?? [])[0];
  return unit === undefined ? description : `${description} [${unit}]`.trim();
}
