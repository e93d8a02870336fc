import { readFileSync } from 'node:fs';
import test from 'ava';
import { createRouter } from '../../api/app.ts';
import { ERROR_CODES } from '../../api/errors.ts';
import { EXAMPLES } from '../../api/openapi/examples.ts';
import { INTERFACE_VERSION } from '../../api/openapi/document.ts';
import { withTables } from '../../api/openapi/tables.ts';
import { readNamedAirlines } from '../../warehouse/reference/airlines.ts';
import { readScheduledAirports } from '../../warehouse/reference/scheduled-airports.ts';
import { someDeps } from './helpers/app.ts';
import { DOCUMENT } from './helpers/documented.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const docs = read('docs/api.md');

test('every route has its heading in docs/api.md', (t) => {
  const paths = createRouter(someDeps()).stack.map((layer) => String(layer.path));
  t.true(paths.length >= 4);
  for (const path of paths) {
    // The files of a page go with it.
    const [page = ''] = path.split('/:');
    t.true(docs.includes(`## GET ${page}\n`), path);
  }
});

test('every setting the API takes is in docs/api.md', (t) => {
  const taken = ['PORT', 'HOST', 'API_WORKERS', 'REDIS_URL', 'DATA_DIR', 'EXPLAIN_ENABLED'];
  for (const name of [...taken, 'LOG_LEVEL']) t.true(docs.includes(`| \`${name}\` |`), name);
});

test('every error code is in the table of docs/api.md', (t) => {
  t.true(ERROR_CODES.length >= 13);
  for (const code of ERROR_CODES) {
    t.true(docs.includes(`| \`${code}\` |`), code);
  }
});

test('the example answers of docs/api.md are those of the OpenAPI document', (t) => {
  const examples = [...docs.matchAll(/```json\n([^`]*)```/g)].map(
    ([, text]) => JSON.parse(text ?? '') as unknown,
  );
  // The page shows one day of the calendar.
  const { calendar } = EXAMPLES;
  const shown = { ...EXAMPLES, calendar: { ...calendar, days: calendar.days.slice(0, 1) } };
  t.deepEqual(examples, Object.values(shown));
});

test('the tables of docs/api.md are those of the schemas: `npm run docs:api` writes them', (t) => {
  t.is(withTables(docs), docs);
  const shown = [...docs.matchAll(/<!-- fields (\w+) -->/g)].flatMap(([, name]) => name ?? []);
  const named = Object.entries(DOCUMENT.components.schemas);
  const bodies = named.filter(([, schema]) => 'properties' in schema).map(([name]) => name);
  t.deepEqual(shown.toSorted(), bodies.toSorted());
});

test('the snippets of docs/clients.md are made by the function that all use', (t) => {
  const clients = read('docs/clients.md');
  t.is(withTables(clients), clients);
  t.is([...clients.matchAll(/^```(sh|ts|python)$/gm)].length, 3 * 6);
});

test('the interface has its version and what changed in docs/api-changes.md', (t) => {
  const [, newest] = /^## (\S+)$/m.exec(read('docs/api-changes.md')) ?? [];
  t.is(newest, INTERFACE_VERSION);
});

test('the airlines and airports that examples of refusals name are nobody', async (t) => {
  const airlines = readNamedAirlines().map(({ iata }) => iata);
  const airports = (await readScheduledAirports()).map(({ iata }) => iata);
  t.true(airlines.includes('AA') && airports.includes('JFK'));
  const text = JSON.stringify(DOCUMENT) + docs;
  const unknown = (kind: RegExp) => [...text.matchAll(kind)].map(([, code = '']) => code);
  t.deepEqual([...new Set(unknown(/airline has the code ([0-9A-Z]+)\b/g))], ['00']);
  t.deepEqual([...new Set(unknown(/airport has the code ([0-9A-Z]+)\b/g))], ['ZZZ']);
  t.false(airlines.includes('00') || airports.includes('ZZZ'));
});
