import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { FLIGHT_FORMS } from '../pipelines/flights/forms.ts';
import { CHECKS, MODELS } from '../warehouse/build/models.ts';
import { FEATURES } from '../models/features.ts';
import { componentKey } from '../api/schemas/score.ts';
import marksFile from '../models/score-marks.json' with { type: 'json' };

const root = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(root(path), 'utf8');
const features = read('docs/features.md');

/** Names of the environment variables a config file reads, found in its schema. */
const environmentOf = (path: string) =>
  [...read(path).matchAll(/^ {4}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name ?? '');

test('every model is named in docs/features.md', (t) => {
  for (const model of MODELS) {
    const name = model.slice(model.indexOf('/') + 1);
    t.true(features.includes(`\`${name}\``), name);
  }
});

test('every form that ingest reads is in the table of docs/operations.md', (t) => {
  const operations = read('docs/operations.md');
  for (const { name } of FLIGHT_FORMS) t.true(operations.includes(`\n| \`${name}\` |`), name);
});

test('every check is in the table of docs/features.md, with its severity', (t) => {
  for (const check of CHECKS) {
    const [, severity] = /^-- (error|warn): /.exec(read(`warehouse/sql/checks/${check}.sql`)) ?? [];
    t.true(features.includes(`| \`${check}\` | ${severity} |`), check);
  }
});

test('every component of the score has its line in docs/features.md', (t) => {
  for (const key of componentKey.options) {
    t.true(
      features.split('\n').some((text) => text.startsWith(`| \`${key}\` |`)),
      key,
    );
  }
});

test('docs/features.md says what a point is worth as it is sealed', (t) => {
  for (const { zeroRate, pointsPerDoubling } of Object.values(marksFile.marks)) {
    const zero = `${Number((100 * zeroRate).toFixed(2))} %`;
    t.true(features.includes(`| ${zero} | ${pointsPerDoubling} |`), zero);
  }
});

test('the features of the model have their lines in docs/model.md, in order, with unit and meaning', (t) => {
  const lines = read('docs/model.md').split('\n');
  const first = lines.findIndex((line) => line.startsWith('| feature | unit |')) + 2;
  t.deepEqual(
    lines.slice(first, lines.indexOf('', first)),
    FEATURES.map(({ name, unit, what }) => `| \`${name}\` | ${unit} | ${what} |`),
  );
});

test('every environment variable has its line in a table of README.md or docs/', (t) => {
  const docs = ['README.md', ...readdirSync(root('docs')).filter((name) => name.endsWith('.md'))]
    .map((name) => read(name === 'README.md' ? name : `docs/${name}`))
    .join('\n');
  const names = environmentOf('jobs/config.ts');
  t.true(names.length >= 15);
  for (const name of names) {
    t.true(docs.includes(`| \`${name}\` |`), name);
  }
});
