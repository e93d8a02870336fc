import { openApiDocument } from './document.ts';
import { ENDPOINTS } from './endpoints.ts';
import { createRows, type ShownDocument } from './rows.ts';
import { LANGUAGES, snippet } from './snippets.ts';

const DOCUMENT = openApiDocument() as ShownDocument;

const { fields, typeOf } = createRows(DOCUMENT, (name) => `[${name}](#${anchorOf(name)})`);

/** The parameters of an endpoint as a Markdown table; of its key the page speaks elsewhere. */
function parameterTable(path: string): string {
  const rows = parametersOf(path).map(({ name, required, description, schema }) => {
    const otherwise = schema.default === undefined ? 'no' : `no, \`${schema.default}\``;
    return [`\`${name}\``, typeOf(schema), required ? 'yes' : otherwise, description];
  });
  return table(['parameter', 'type', 'required', ''], rows);
}

/** The fields of a body, or of a part of bodies, as a Markdown table; those of objects within have dots before them. */
function fieldTable(name: string): string {
  const rows = fields(name).map((field) => [`\`${field.name}\``, field.type, field.said]);
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
  const required = parametersOf(path).filter((one) => one.required);
  const given = required.map(({ name, example }): [string, string] => [name, String(example)]);
  const address = `http://127.0.0.1:8080${path}?${new URLSearchParams(given)}`;
  const fences = { curl: 'sh', typescript: 'ts', python: 'python' };
  return LANGUAGES.map(
    (language) => `\`\`\`${fences[language]}\n${snippet(language, address)}\`\`\``,
  ).join('\n\n');
}

function parametersOf(path: string) {
  return DOCUMENT.paths[path]?.get.parameters ?? [];
}

/** Where the page shows the fields of that name. */
function anchorOf(name: string): string {
  const endpoint = ENDPOINTS.find(({ answer }) => answer.name === name);
  if (endpoint) return `get-${endpoint.path.replaceAll('/', '')}`;
  return name === 'Error' ? 'errors' : name.toLowerCase();
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escaped))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
