import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { FLIGHT_FORMS } from '../pipelines/providers/index.ts';
import { parseCheckHeader } from '../warehouse/build/check-header.ts';
import { CHECKS, MODELS } from '../warehouse/build/models.ts';
import { FEATURES } from '../models/features.ts';
import marksFile from '../models/score-marks.json' with { type: 'json' };
import { componentKey } from '../api/schemas/label.ts';

const root = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(root(path), 'utf8');
const features = read('docs/features.md');

/** Returns the environment variables in the schema of a config file. */
const listVariables = (path: string) =>
  [...read(path).matchAll(/^ {4}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name ?? '');

test('docs/features.md names every model', (t) => {
  for (const model of MODELS) {
    const name = model.slice(model.indexOf('/') + 1);
    t.true(features.includes(`\`${name}\``), name);
  }
});

test('the table of docs/operations.md has every form that ingest reads', (t) => {
  const operations = read('docs/operations.md');
  for (const { name } of FLIGHT_FORMS) t.true(operations.includes(`\n| \`${name}\` |`), name);
});

test('the table of docs/features.md has every check with its thresholds', (t) => {
  for (const check of CHECKS) {
    const { thresholds } = parseCheckHeader(check, read(`warehouse/sql/checks/${check}.sql`));
    const [error, warn] = [thresholds.error, thresholds.warn].map(({ rows }) => {
      if (rows === 'any row') return 'any';
      return rows === 'never' ? '–' : `over ${100 * rows.above} %`;
    });
    t.true(features.includes(`| \`${check}\` | ${error} | ${warn} |`), check);
  }
});

test('docs/features.md has a line for every component of the score', (t) => {
  for (const key of componentKey.options) {
    t.true(
      features.split('\n').some((text) => text.startsWith(`| \`${key}\` |`)),
      key,
    );
  }
});

test('docs/features.md has the values of a point from the marks file', (t) => {
  for (const { zeroRate, pointsPerDoubling } of Object.values(marksFile.marks)) {
    const zero = `${Number((100 * zeroRate).toFixed(2))} %`;
    t.true(features.includes(`| ${zero} | ${pointsPerDoubling} |`), zero);
  }
});

test('docs/model.md has a line for each feature of the model, in order, with unit and meaning', (t) => {
  const lines = read('docs/model.md').split('\n');
  const first = lines.findIndex((line) => line.startsWith('| feature | unit |')) + 2;
  t.deepEqual(
    lines.slice(first, lines.indexOf('', first)),
    FEATURES.map(({ name, unit, what }) => `| \`${name}\` | ${unit} | ${what} |`),
  );
});

test('README.md or docs/ has a table line for every environment variable', (t) => {
  const docs = ['README.md', ...readdirSync(root('docs')).filter((name) => name.endsWith('.md'))]
    .map((name) => read(name === 'README.md' ? name : `docs/${name}`))
    .join('\n');
  const names = listVariables('jobs/config.ts');
  t.true(names.length >= 15);
  for (const name of names) {
    t.true(docs.includes(`| \`${name}\` |`), name);
  }
});
