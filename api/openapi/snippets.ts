/** Languages of the code examples. */
export const LANGUAGES = ['curl', 'typescript', 'python'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Types of the parameters that are not strings. */
export const KINDS: Record<string, 'list' | 'flag' | 'number'> = {
  flights: 'list',
  include: 'list',
  news: 'flag',
  refresh: 'flag',
  band: 'flag',
  points: 'number',
  signed: 'flag',
  year: 'number',
  monthly_limit: 'number',
  limit: 'number',
  months: 'number',
  legs: 'list',
  mct: 'number',
  inbound_delay: 'number',
  inbound_delays: 'list',
};

type Value = string | number | boolean | string[];

/** A call to show as code. */
export type SnippetCall = {
  /** Scheme and host. */
  origin: string;
  /** Path of the endpoint. Names in braces are replaced by parameters. */
  path: string;
  params: readonly (readonly [name: string, text: string])[];
  /** HTTP method; default `GET`. */
  method?: string;
  /** Name of the function in the clients. By default, the name is derived from the path. */
  operationId?: string;
};

/**
 * Returns code that calls an address of the API. The code reads the key from the environment; a key in the address is left
 * out. Browsers load this module too, so it must not import anything.
 */
export function snippet(language: Language, address: string): string {
  return callSnippet(language, callOfAddress(address));
}

/** Parses the address of a GET call, and leaves out the key. */
export function callOfAddress(address: string): SnippetCall {
  const { origin, pathname, searchParams } = new URL(address);
  searchParams.delete('api_key');
  return { origin, path: pathname, params: [...searchParams] };
}

/** Returns code for a call, in the given language. */
export function callSnippet(language: Language, call: SnippetCall): string {
  const { path, params, operationId = operationIdOf(path) } = call;
  const values = params.map(([name, text]): [string, Value] => [name, valueOf(name, text, path)]);
  return SNIPPETS[language]({ method: 'GET', ...call, operationId }, values);
}

type Snippet = (call: Required<SnippetCall>, params: [string, Value][]) => string;

const SNIPPETS: Record<Language, Snippet> = {
  curl: ({ origin, path, method }, params) => {
    const isInPath = ([name]: [string, Value]) => path.includes(`{${name}}`);
    const filled = params.filter(isInPath);
    const address = filled.reduce(
      (text, [name, value]) => text.replace(`{${name}}`, String(value)),
      path,
    );
    const args = params
      .filter((param) => !isInPath(param))
      .map(([name, value]) => `  --data-urlencode ${quoted(name, value)} \\`);
    const request = method === 'GET' ? '' : `--request ${method} `;
    const lines = [`curl ${request}--get '${origin}${address}' \\`, ...args];
    return `${lines.join('\n')}\n  --data-urlencode "api_key=$HEADWIND_KEY"\n`;
  },
  typescript: ({ origin, operationId }, params) => {
    const args = params.map(([name, value]) => `${name}: ${literal(value)}`).join(', ');
    const argument = args === '' ? '' : `{ ${args} }`;
    return `// Run with Node 22.18 or later: node call.mts. With older versions: npx tsx call.mts.
import { createClient } from './headwind.ts';

const headwind = createClient({ baseUrl: '${origin}', apiKey: process.env['HEADWIND_KEY'] });
console.log(await headwind.${operationId}(${argument}));
`;
  },
  python: ({ origin, operationId }, params) => {
    const name = operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const args = params.map(([param, value]) => `${param}=${pythonLiteral(value)}`).join(', ');
    return `import os

from headwind import Headwind

headwind = Headwind("${origin}", os.environ["HEADWIND_KEY"])
print(headwind.${name}(${args}))
`;
  },
};

/** Returns the operation id of a path: `keysUsage` for `/api/keys/usage`. Clients use the id as a function name. */
export function operationIdOf(path: string): string {
  return path
    .replace('/api/', '')
    .replaceAll(/\/(.)/g, (_, letter: string) => letter.toUpperCase());
}

function valueOf(name: string, text: string, path: string): Value {
  // The parameter `month` is a number for `/api/keys/usage`, and text for other endpoints.
  const kind = name === 'month' && path === '/api/keys/usage' ? 'number' : KINDS[name];
  if (kind === 'list') return text.split(',');
  if (kind === 'flag') return text === 'true';
  return kind === 'number' ? Number(text) : text;
}

function quoted(name: string, value: Value): string {
  return `'${name}=${String(value).replaceAll("'", String.raw`'\''`)}'`;
}

function literal(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'string') return String(value);
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

function pythonLiteral(value: Value): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  return JSON.stringify(value);
}
