/** The languages callers are shown. */
export const LANGUAGES = ['curl', 'typescript', 'python'] as const;

export type Language = (typeof LANGUAGES)[number];

/** What parameters are in code, where they are no text. */
export const KINDS: Record<string, 'list' | 'flag' | 'number'> = {
  flights: 'list',
  include: 'list',
  news: 'flag',
  refresh: 'flag',
  year: 'number',
  monthly_limit: 'number',
};

type Value = string | number | boolean | string[];

/**
 * A call in a language, from its address; the key in it, if any, is left out and read from the environment. It imports
 * nothing, so that pages may use it as it is.
 */
export function snippet(language: Language, address: string): string {
  const { origin, pathname, searchParams } = new URL(address);
  searchParams.delete('api_key');
  const params = [...searchParams].map(([name, text]): [string, Value] => [
    name,
    valueOf(name, text, pathname),
  ]);
  return SNIPPETS[language](origin, pathname, params);
}

type Snippet = (origin: string, path: string, params: [string, Value][]) => string;

const SNIPPETS: Record<Language, Snippet> = {
  curl: (origin, path, params) => {
    const given = params.map(([name, value]) => `  --data-urlencode ${quoted(name, value)} \\`);
    const lines = [`curl --get '${origin}${path}' \\`, ...given];
    return `${lines.join('\n')}\n  --data-urlencode "api_key=$HEADWIND_KEY"\n`;
  },
  typescript: (origin, path, params) => {
    const given = params.map(([name, value]) => `${name}: ${literal(value)}`).join(', ');
    const argument = given === '' ? '' : `{ ${given} }`;
    return `// Node 22.18 or later: node call.mts. Before it: npx tsx call.mts.
import { createClient } from './headwind.ts';

const headwind = createClient({ baseUrl: '${origin}', apiKey: process.env['HEADWIND_KEY'] });
console.log(await headwind.${operationIdOf(path)}(${argument}));
`;
  },
  python: (origin, path, params) => {
    const name = operationIdOf(path).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const given = params.map(([param, value]) => `${param}=${pythonLiteral(value)}`).join(', ');
    return `import os

from headwind import Headwind

headwind = Headwind("${origin}", os.environ["HEADWIND_KEY"])
print(headwind.${name}(${given}))
`;
  },
};

/** `/api/keys/usage` is `keysUsage`: a name that clients made of the description can give a function. */
export function operationIdOf(path: string): string {
  return path
    .replace('/api/', '')
    .replaceAll(/\/(.)/g, (_, letter: string) => letter.toUpperCase());
}

function valueOf(name: string, text: string, path: string): Value {
  // The month of a calendar is a text, that of usage a number.
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
