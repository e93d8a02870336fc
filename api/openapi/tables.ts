import { openApiDocument } from './document.ts';
import { isNeeded, UNLESS } from './json-schema.ts';
import { ENDPOINTS } from './endpoints.ts';
import { createRows, type ShownDocument } from './rows.ts';
import { LANGUAGES, snippet } from './snippets.ts';

const DOCUMENT = openApiDocument() as ShownDocument;

const { fields, typeOf } = createRows(DOCUMENT, (name) => `[${name}](#${anchorOf(name)})`);

/**
 * Returns the parameters of an endpoint as a Markdown table. `api_key` is left out, because the page describes it once
 * for all endpoints. The endpoint's name is its path, with a prefix for methods other than GET: `POST:/api/watches`.
 */
function parameterTable(name: string): string {
  const [path = '', method = 'GET'] = name.split(':').toReversed();
  const rows = parametersOf(path, method).map(
    ({ name: parameter, required, [UNLESS]: unless, description, schema }) => {
      const defaultText = schema.default === undefined ? 'no' : `no, \`${schema.default}\``;
      const optionalText = unless === undefined ? defaultText : `without \`${unless}\``;
      return [`\`${parameter}\``, typeOf(schema), required ? 'yes' : optionalText, description];
    },
  );
  return table(['parameter', 'type', 'required', ''], rows);
}

/** Returns the fields of a body or part as a Markdown table. Nested fields have dotted names, such as `a.b`. */
function fieldTable(name: string): string {
  const rows = fields(name).map((field) => [`\`${field.name}\``, field.type, field.description]);
  return table(['field', 'type', ''], rows);
}

const GENERATORS: Record<string, (name: string) => string> = {
  parameters: parameterTable,
  fields: fieldTable,
  snippets: snippetsOf,
};

/**
 * Regenerates the text between a comment `<!-- parameters /api/… -->`, `<!-- fields Name -->` or `<!-- snippets /api/…
 * -->` and the comment `<!-- end -->`.
 */
export function withTables(page: string): string {
  return page.replaceAll(
    /(<!-- (parameters|fields|snippets) (\S+) -->\n)[^]*?(<!-- end -->)/g,
    (_, start: string, kind: string, name: string, end: string) =>
      `${start}\n${GENERATORS[kind]?.(name)}\n\n${end}`,
  );
}

/** Returns example code for the endpoint in every language. Required parameters have example values. */
function snippetsOf(path: string): string {
  const args = parametersOf(path)
    .filter(isNeeded)
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const address = `http://127.0.0.1:8080${path}?${new URLSearchParams(args)}`;
  const fences = { curl: 'sh', typescript: 'ts', python: 'python' };
  return LANGUAGES.map(
    (language) => `\`\`\`${fences[language]}\n${snippet(language, address)}\`\`\``,
  ).join('\n\n');
}

function parametersOf(path: string, method = 'GET') {
  return DOCUMENT.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
}

/** Returns the anchor of the documentation's section about a body or part. */
function anchorOf(name: string): string {
  const endpoint = ENDPOINTS.find(({ answer }) => answer.name === name);
  if (endpoint) return `${endpoint.method ?? 'get'}-${endpoint.path.replaceAll(/[/{}]/g, '')}`;
  return name === 'Error' ? 'errors' : name.toLowerCase();
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escaped))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
