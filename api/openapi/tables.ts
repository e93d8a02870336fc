import { openApiDocument } from './document.ts';
import { ENDPOINTS } from './endpoints.ts';
import { SCHEMAS, type Json } from './json-schema.ts';
import { LANGUAGES, snippet } from './snippets.ts';

/** A schema of the document, as far as tables show it. */
type Shown = {
  $ref?: string;
  type?: string | string[];
  const?: string | boolean;
  enum?: string[];
  'x-extensible-enum'?: string[];
  'x-unit'?: string;
  format?: string;
  description?: string;
  default?: string | number | boolean;
  properties?: Record<string, Shown>;
  required?: string[];
  items?: Shown;
  anyOf?: Shown[];
};

type Parameter = {
  name: string;
  required: boolean;
  description: string;
  schema: Shown;
  example: unknown;
};

const { paths, components } = openApiDocument() as {
  paths: Record<string, { get: { parameters: Parameter[] } & Json }>;
  components: { schemas: Record<string, Shown> };
};

/** The parameters of an endpoint as a Markdown table; of its key the page speaks elsewhere. */
function parameterTable(path: string): string {
  const parameters = paths[path]?.get.parameters ?? [];
  const rows = parameters.map(({ name, required, description, schema }) => {
    const otherwise = schema.default === undefined ? 'no' : `no, \`${schema.default}\``;
    return [`\`${name}\``, typeOf(schema), required ? 'yes' : otherwise, description];
  });
  return table(['parameter', 'type', 'required', ''], rows);
}

/** The fields of a body, or of a part of bodies, as a Markdown table; those of objects within have dots before them. */
function fieldTable(name: string): string {
  const rows = fieldsOf('', components.schemas[name] ?? {});
  return table(['field', 'type', ''], rows);
}

const MAKERS: Record<string, (name: string) => string> = {
  parameters: parameterTable,
  fields: fieldTable,
  snippets: snippetsOf,
};

/** Replaces what stands between `<!-- parameters /api/… -->` (or `fields Name`, `snippets /api/…`) and `<!-- end -->`. */
export function withTables(page: string): string {
  return page.replaceAll(
    /(<!-- (parameters|fields|snippets) (\S+) -->\n)[^]*?(<!-- end -->)/g,
    (_, start: string, kind: string, name: string, end: string) =>
      `${start}\n${MAKERS[kind]?.(name)}\n\n${end}`,
  );
}

/** A call of the endpoint, with the examples of what it must be given, in every language. */
function snippetsOf(path: string): string {
  const required = (paths[path]?.get.parameters ?? []).filter((one) => one.required);
  const given = required.map(({ name, example }): [string, string] => [name, String(example)]);
  const address = `http://127.0.0.1:8080${path}?${new URLSearchParams(given)}`;
  const fences = { curl: 'sh', typescript: 'ts', python: 'python' };
  return LANGUAGES.map(
    (language) => `\`\`\`${fences[language]}\n${snippet(language, address)}\`\`\``,
  ).join('\n\n');
}

/** A row for each field; those of a choice between objects together. */
function fieldsOf(before: string, schema: Shown): string[][] {
  const seen = new Set<string>();
  const choices = schema.anyOf?.filter(({ properties }) => properties) ?? [schema];
  return choices.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, field]) => {
      if (seen.has(name)) return [];
      seen.add(name);
      const isSure = required.includes(name) && choices.every((one) => one.properties?.[name]);
      const type = isSure ? typeOf(field) : `${typeOf(field)}, optional`;
      const said = field.description ?? referred(field)?.description ?? '';
      return [[`\`${before}${name}\``, type, said], ...within(`${before}${name}`, field)];
    }),
  );
}

/** The fields of an object, or of the objects of a list, that has no name of its own. */
function within(name: string, schema: Shown): string[][] {
  const [first, ...others] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const inner = first && others.length === 0 ? first : schema;
  if (inner.items) return within(`${name}[]`, inner.items);
  return fieldsOf(`${name}.`, inner);
}

function typeOf(schema: Shown): string {
  const { anyOf, items, const: only, format } = schema;
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  if (only !== undefined) return `\`${only}\``;
  const words = schema.enum ?? schema['x-extensible-enum'] ?? referred(schema)?.enum;
  if (words) {
    const more = schema['x-extensible-enum'] ? ', …' : '';
    return words.map((word) => `\`${word}\``).join(', ') + more;
  }
  if (schema.$ref) return `[${nameOf(schema.$ref)}](#${anchorOf(nameOf(schema.$ref))})`;
  const type = format ?? [schema.type].flat().join(' or ');
  return [type, ...[schema['x-unit'] ?? []].flat()].join(', ');
}

function referred({ $ref }: Shown): Shown | undefined {
  return $ref === undefined ? undefined : components.schemas[nameOf($ref)];
}

/** Where the page shows the fields of that name. */
function anchorOf(name: string): string {
  const endpoint = ENDPOINTS.find(({ answer }) => answer.name === name);
  if (endpoint) return `get-${endpoint.path.replaceAll('/', '')}`;
  return name === 'Error' ? 'errors' : name.toLowerCase();
}

function nameOf(reference: string): string {
  return reference.slice(SCHEMAS.length);
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escaped))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
