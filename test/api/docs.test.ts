import { readFileSync } from 'node:fs';
import test from 'ava';
import { createRouter } from '../../api/app.ts';
import { ENV_NAMES } from '../../api/config.ts';
import { scoreBody } from '../../api/schemas/score.ts';
import { airlinesBody } from '../../api/schemas/airlines.ts';
import { newsBody } from '../../api/schemas/news.ts';
import { createKeyBody } from '../../api/schemas/keys.ts';
import { healthBody } from '../../api/schemas/health.ts';
import { someDeps } from './helpers/app.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const docs = read('docs/api.md');

test('every route has its heading in docs/api.md', (t) => {
  const paths = createRouter(someDeps()).stack.map((layer) => String(layer.path));
  t.true(paths.length >= 4);
  for (const path of paths) {
    t.true(docs.includes(`## GET ${path}\n`), path);
  }
});

test('every environment variable of the API is in docs/api.md', (t) => {
  t.true(ENV_NAMES.length >= 5);
  for (const name of ENV_NAMES) {
    t.true(docs.includes(`| \`${name}\` |`), name);
  }
});

test('every error code is in the table of docs/api.md', (t) => {
  const union = read('api/errors.ts').split('export type ErrorCode =')[1]?.split(';')[0] ?? '';
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code);
  t.true(codes.length >= 13);
  for (const code of codes) {
    t.true(docs.includes(`| \`${code}\` |`), code);
  }
});

test('the example answers of docs/api.md have the shapes that are served', (t) => {
  const examples = [...docs.matchAll(/```json\n([^`]*)```/g)].map(
    ([, text]) => JSON.parse(text ?? '') as unknown,
  );
  t.is(examples.length, 5);
  const shapes = [scoreBody, airlinesBody, newsBody, createKeyBody, healthBody];
  for (const [at, shape] of shapes.entries()) {
    t.notThrows(() => shape.parse(examples[at]));
  }
});
