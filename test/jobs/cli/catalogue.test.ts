import { existsSync, readFileSync } from 'node:fs';
import test from 'ava';
import { scoreBody, stats } from '../../../api/schemas/score.ts';
import { ANSWERS, OTHERS } from '../../../jobs/cli/catalogue/answers.ts';
import { LOADED } from '../../../jobs/cli/catalogue/lineage.ts';
import { ROW_REASONS, sourcesPage } from '../../../jobs/cli/catalogue/sources-page.ts';
import { madeCatalogue } from '../../../jobs/cli/catalogue/made.ts';

const root = (file: string) => new URL(`../../../${file}`, import.meta.url);

test('docs/catalogue.md is what the SQL says', async (t) => {
  const page = readFileSync(root('docs/catalogue.md'), 'utf8');
  t.is(await madeCatalogue(), page, 'npm run docs:catalogue writes it anew');
  const tables = [...page.matchAll(/^### (raw\.\w+)$/gm)].map(([, name]) => name);
  t.deepEqual(
    tables,
    Object.keys(LOADED).toSorted(),
    'every table of raw has its file of the lake',
  );
  for (const { by } of Object.values(LOADED)) {
    for (const file of by) t.true(existsSync(root(`warehouse/sql/${file}.sql`)), file);
  }
});

test('docs/sources.md is what the code reads, and has every reason of a rejected row', (t) => {
  t.is(sourcesPage(), readFileSync(root('docs/sources.md'), 'utf8'), 'npm run docs:catalogue');
  const sql = ['checked_flights', 'checked_route_hours', 'checked_delay_causes', 'skipped_lines']
    .map((name) => readFileSync(root(`warehouse/sql/lake/${name}.sql`), 'utf8'))
    .join('\n');
  const rejected = [...sql.matchAll(/reject\([\s\S]*?'(\w+)'\s*\)/g)].map(([, name = '']) => name);
  const skipped = [...sql.matchAll(/(?:then|else) '(\w+)'$/gm)].map(([, name = '']) => name);
  t.deepEqual([...new Set([...rejected, ...skipped])].toSorted(), Object.keys(ROW_REASONS));
});

test('every field of the answer of a score is in its lineage, and no other', (t) => {
  const fields = [
    ...Object.keys(scoreBody.shape).filter((name) => name !== 'stats'),
    ...Object.keys(stats.shape).map((name) => `stats.${name}`),
  ];
  const named = [...Object.values(ANSWERS), ...Object.values(OTHERS)].flat();
  const own = named.filter((name) => !name.startsWith('/'));
  const covers = (name: string) => (one: string) =>
    one === name || one.startsWith(`${name}.`) || name.startsWith(`${one}.`);
  t.deepEqual(
    fields.filter((field) => !own.some(covers(field))),
    [],
  );
  t.deepEqual(
    own.filter((name) => !fields.some(covers(name))),
    [],
  );
});
