import { existsSync, readFileSync } from 'node:fs';
import test from 'ava';
import { scoreBody, stats } from '../../../api/schemas/score.ts';
import { FIELDS_BY_TABLE, FIELDS_BY_OTHER_SOURCE } from '../../../jobs/cli/catalogue/answers.ts';
import { RAW_TABLES } from '../../../jobs/cli/catalogue/lineage.ts';
import { ROW_REASONS, sourcesPage } from '../../../jobs/cli/catalogue/sources-page.ts';
import { buildCatalogue } from '../../../jobs/cli/catalogue/page.ts';
import { buildLineage } from '../../../jobs/cli/catalogue/lineage-graph.ts';
import { lineageSvg } from '../../../jobs/cli/catalogue/lineage-svg.ts';
import { NO_USER_SQL } from '../../../warehouse/build/user-sql.ts';

const root = (file: string) => new URL(`../../../${file}`, import.meta.url);

test('docs/catalogue.md is up to date with the SQL', async (t) => {
  const page = readFileSync(root('docs/catalogue.md'), 'utf8');
  t.is(await buildCatalogue(), page, 'npm run docs:catalogue updates it');
  const tables = [...page.matchAll(/^### (raw\.\w+)$/gm)].map(([, name]) => name);
  t.deepEqual(tables, Object.keys(RAW_TABLES).toSorted(), 'every table of raw has a lake file');
  for (const { queries } of Object.values(RAW_TABLES)) {
    for (const file of queries) t.true(existsSync(root(`warehouse/sql/${file}.sql`)), file);
  }
});

test('docs/lineage.svg is up to date with the SQL, and its links lead to places that exist', (t) => {
  const picture = readFileSync(root('docs/lineage.svg'), 'utf8');
  t.is(lineageSvg(buildLineage(NO_USER_SQL)), picture, 'npm run docs:catalogue updates it');
  const page = readFileSync(root('docs/catalogue.md'), 'utf8');
  const anchors = [...page.matchAll(/^### (.+)$/gm)].map(([, title = '']) =>
    title.replace('.', ''),
  );
  const links = [...picture.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  t.true(links.length > 50);
  for (const link of links) {
    const [file = '', anchor] = link.split('#');
    t.true(existsSync(new URL(file, root('docs/'))), link);
    if (anchor !== undefined) t.true(anchors.includes(anchor), link);
  }
});

test('docs/sources.md is up to date with the code, and describes every reason for rejecting a row', (t) => {
  t.is(sourcesPage(), readFileSync(root('docs/sources.md'), 'utf8'), 'npm run docs:catalogue');
  const sql = ['checked_flights', 'checked_route_hours', 'checked_delay_causes', 'skipped_lines']
    .map((name) => readFileSync(root(`warehouse/sql/lake/${name}.sql`), 'utf8'))
    .join('\n');
  const rejected = [...sql.matchAll(/reject\([\s\S]*?'(\w+)'\s*\)/g)].map(([, name = '']) => name);
  const skipped = [...sql.matchAll(/(?:then|else) '(\w+)'$/gm)].map(([, name = '']) => name);
  t.deepEqual([...new Set([...rejected, ...skipped])].toSorted(), Object.keys(ROW_REASONS));
});

test('the lineage covers every response field of a score, and no other field', (t) => {
  const fields = [
    ...Object.keys(scoreBody.shape).filter((name) => name !== 'stats'),
    ...Object.keys(stats.shape).map((name) => `stats.${name}`),
  ];
  const listed = [
    ...Object.values(FIELDS_BY_TABLE),
    ...Object.values(FIELDS_BY_OTHER_SOURCE),
  ].flat();
  const scoreFields = listed.filter((name) => !name.startsWith('/'));
  const covers = (name: string) => (one: string) =>
    one === name || one.startsWith(`${name}.`) || name.startsWith(`${one}.`);
  t.deepEqual(
    fields.filter((field) => !scoreFields.some(covers(field))),
    [],
  );
  t.deepEqual(
    scoreFields.filter((name) => !fields.some(covers(name))),
    [],
  );
});
