import { z } from 'zod';
import { openApiDocument } from '../../../api/openapi/document.ts';

export type Answer = {
  status: number;
  headers: Record<string, string | undefined>;
  body: Record<string, unknown>;
};

type Media = { schema: object; example: unknown };
type Response = {
  $ref?: string;
  headers: Record<string, unknown>;
  content: Record<string, Media>;
};
type Parameter = {
  name: string;
  in: string;
  required: boolean;
  'x-required-unless'?: string;
  description: string;
  schema: object;
  example: unknown;
};
export type Operation = {
  path: string;
  /** In small letters. */
  method: string;
  operationId: string;
  parameters: Parameter[];
  responses: Record<string, Response>;
};
export type Document = {
  openapi: string;
  paths: Record<string, Record<string, Omit<Operation, 'path' | 'method'>>>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, Response>;
    headers: Record<string, object>;
  };
};

/** The document of a server with every feature switched on. */
export const DOCUMENT = JSON.parse(
  JSON.stringify(openApiDocument({ isExplainEnabled: true })),
) as Document;

/** All operations of the document. */
export const OPERATIONS: readonly Operation[] = Object.entries(DOCUMENT.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

/** Returns the path of an operation with the examples of its parameters. */
export function examplePath({ path, parameters }: Pick<Operation, 'path' | 'parameters'>): string {
  return parameters
    .filter((one) => one.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
}

/** Whether a request path is a path of the document. */
function isPath(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/**
 * Returns the part of the answer that the document does not describe; undefined when the document describes the whole
 * answer.
 */
export function findUndocumented(method: string, url: string, answer: Answer): string | undefined {
  const path = url.split('?')[0] ?? '';
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = OPERATIONS.find((one) => one.method === verb && isPath(one.path, path));
  if (!operation) {
    return path.startsWith('/api') ? problemOf(ERROR, answer.body) : undefined;
  }
  const response = resolved(operation.responses[answer.status]);
  // Calls with an effect answer HEAD with 405. The document must describe this answer, too.
  if (!response) return `no status ${answer.status} at ${path}`;
  const headers = Object.keys(response.headers).filter((name) => !isSometimes(name, answer.status));
  const missing = headers.filter((name) => answer.headers[name.toLowerCase()] === undefined);
  if (missing.length > 0) return `no header ${missing.join(', ')} at ${answer.status} ${path}`;
  if (method === 'HEAD' || answer.status === 304) return undefined;
  const schema = response.content['application/json']?.schema;
  return schema ? problemOf(schema, answer.body) : `no body for ${answer.status} at ${path}`;
}

/**
 * Returns why the value does not match a schema of the document; undefined when it matches. Schemas that are open for
 * later fields are treated as closed, because the document must name every field of today's answers.
 */
export function problemOf(schema: object, value: unknown): string | undefined {
  const read = validatorOf(schema).safeParse(value);
  return read.success ? undefined : z.prettifyError(read.error);
}

/** Resolves a reference to a shared response. */
export function resolved(response: Response | undefined): Response | undefined {
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : DOCUMENT.components.responses[name];
}

const ERROR = { $ref: '#/components/schemas/Error' };

const validators = new Map<string, z.ZodType>();

function validatorOf(schema: object): z.ZodType {
  const key = JSON.stringify(schema);
  const cached = validators.get(key);
  if (cached) return cached;
  // zod reads definitions from `$defs`.
  const text = JSON.stringify({ ...schema, $defs: DOCUMENT.components.schemas });
  const local = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'), closed) as object;
  const validator = z.fromJSONSchema(local as z.core.JSONSchema.JSONSchema);
  validators.set(key, validator);
  return validator;
}

function closed(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { 'x-extensible-enum': words, ...schema } = value as Record<string, unknown>;
  if (words !== undefined) return { ...schema, enum: words };
  const isBody = schema['type'] === 'object' && schema['properties'] !== undefined;
  return isBody ? { ...schema, additionalProperties: false } : value;
}

/**
 * Whether the answer may lack this header. Most requests have no unknown parameters to report, and a 5xx may occur
 * before the check of the key.
 */
function isSometimes(name: string, status: number): boolean {
  if (['X-Ignored-Parameters', 'X-Signature'].includes(name)) return true;
  return name.toLowerCase().includes('ratelimit') && status >= 500;
}
