import { ENDPOINTS } from '../openapi/endpoints.ts';
import { openApiDocument } from '../openapi/document.ts';
import { operationIdOf } from '../openapi/snippets.ts';
import { SCHEMAS } from '../openapi/json-schema.ts';

/** The parts of a schema that clients turn into types. */
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

/** An endpoint, as clients call it. */
export type Operation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  parameters: Parameter[];
  /** Name of the response body's type. */
  answer: string;
  /** HTTP statuses with this body. */
  accepted: number[];
  /** Whether clients must send the call only once, because a second call would have a second effect. */
  isOnce: boolean;
};

type Document = {
  info: { version: string };
  paths: Record<string, Record<string, { parameters: Parameter[] }>>;
  components: { schemas: Record<string, Described> };
};

const { info, paths, components } = openApiDocument({ isExplainEnabled: true }) as Document;

/** Version of the interface that the clients use. */
export const VERSION = info.version;

/** Schemas of response bodies and of the objects in them, by name. */
export const BODIES = components.schemas;

/** All operations, in the order of docs/api.md. */
export const OPERATIONS: Operation[] = ENDPOINTS.map(
  ({
    path,
    method = 'get',
    id = operationIdOf(path),
    answer,
    key,
    summary,
    isAnnounced,
    isProbe,
  }) => ({
    ...{ id, method, path },
    summary: isAnnounced === true ? `${summary}: announced, 501 if it is switched off` : summary,
    parameters: paths[path]?.[method]?.parameters ?? [],
    answer: answer.name,
    // A probe also answers 503 with its usual body, which names the unavailable part.
    accepted: isProbe ? [200, 503] : [200],
    isOnce: key === 'admin' || method === 'post',
  }),
);

/**
 * Returns the type name of a body. `Error` is renamed, because a type named `Error` would hide the language's own type.
 */
export function typeName(name: string): string {
  return name === 'Error' ? 'ErrorBody' : name;
}

/** Returns the type name that a reference points to. */
export function referredTypeName(reference: string): string {
  return typeName(reference.slice(SCHEMAS.length));
}

/** Returns the schema with null removed, and whether null was allowed. */
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

/** Returns the description of a field in one line, with the unit in brackets. */
export function fieldComment({ description = '', 'x-unit': own, anyOf }: Described): string {
  const unit = own ?? anyOf?.flatMap((one) => one['x-unit'] ?? [])[0];
  return unit === undefined ? description : `${description} [${unit}]`.trim();
}
