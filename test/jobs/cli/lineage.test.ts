import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { buildLineage } from '../../../jobs/cli/catalogue/lineage-graph.ts';
import { layOutLineage, type UnplacedNode } from '../../../jobs/cli/catalogue/lineage-layout.ts';
import { CHECKS, MODELS } from '../../../warehouse/build/models.ts';
import { NO_USER_SQL, readUserSql } from '../../../warehouse/build/user-sql.ts';
import type { Lineage } from '../../../warehouse/live/lineage.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const node = (name: string, ...reads: string[]): UnplacedNode => ({
  ...{ name, reads, kind: 'mart', isOwn: false, about: '', columns: [] },
});

/** Names of the nodes in each column, from the left column to the right. */
function columnsOf({ nodes }: Lineage): string[][] {
  const groups = Map.groupBy(nodes, ({ x }) => x);
  return [...groups.keys()]
    .toSorted((a, b) => a - b)
    .map((x) => (groups.get(x) ?? []).map(({ name }) => name).toSorted());
}

test('each node is to the right of all nodes that it reads', (t) => {
  const check: UnplacedNode = { ...node('checks.a', 'raw.a'), kind: 'check' };
  const lineage = layOutLineage([
    check,
    node('marts.c', 'raw.a', 'marts.b'),
    node('marts.b', 'raw.a'),
    { ...node('raw.a'), kind: 'source' },
  ]);
  t.deepEqual(columnsOf(lineage), [['raw.a'], ['checks.a', 'marts.b'], ['marts.c']]);
  t.deepEqual(lineage.edges.map(({ from, to }) => `${from} ${to}`).toSorted(), [
    'marts.b marts.c',
    'raw.a checks.a',
    'raw.a marts.b',
    'raw.a marts.c',
  ]);
});

test('models that read each other are drawn too', (t) => {
  const lineage = layOutLineage([node('marts.a', 'marts.b'), node('marts.b', 'marts.a')]);
  t.is(lineage.nodes.length, 2);
  t.is(lineage.edges.length, 2);
});

test('nodes of one column do not overlap, and the picture contains every node', (t) => {
  const { nodes, width, height, nodeWidth, nodeHeight } = buildLineage(NO_USER_SQL);
  for (const one of nodes) {
    t.true(one.x >= 0 && one.x + nodeWidth <= width && one.y >= 0 && one.y + nodeHeight <= height);
    const near = nodes.filter(({ x, y }) => x === one.x && Math.abs(y - one.y) < nodeHeight);
    t.deepEqual(near, [one], one.name);
  }
});

test('the graph has every model and check with a description, and the tables that they read', (t) => {
  const { nodes } = buildLineage(NO_USER_SQL);
  const names = nodes.map(({ name }) => name);
  for (const file of [...MODELS, ...CHECKS.map((check) => `checks/${check}`)]) {
    t.true(names.includes(file.replace('/', '.')), file);
  }
  t.deepEqual(
    nodes.filter(({ about }) => about === ''),
    [],
  );
  t.true(names.includes('raw.route_hours'));
  t.deepEqual(
    nodes.filter(({ isOwn }) => isOwn),
    [],
  );
});

test('models and checks of MODELS_DIR are in the graph, also a file with a problem', async (t) => {
  const dir = await tempDir(t);
  const write = async (name: string, sql: string) => {
    await mkdir(join(dir, name, '..'), { recursive: true });
    await writeFile(join(dir, `${name}.sql`), sql);
  };
  await write(
    'marts/own',
    '-- One row.\ncreate or replace table marts.own as\nselect 1 as a from marts.network',
  );
  await write('marts/bad', 'select 1');
  await write('checks/own', '-- x\n--   error: any row: y\n--   warn: never: no\nfrom marts.own');
  const { nodes, edges } = buildLineage(await readUserSql(dir));
  const own = nodes.filter(({ isOwn }) => isOwn).toSorted((a, b) => a.name.localeCompare(b.name));
  t.deepEqual(
    own.map(({ name, about, problem }) => [name, about, problem !== undefined]),
    [
      ['checks.own', 'x', false],
      ['marts.bad', '', true],
      ['marts.own', 'One row.', false],
    ],
  );
  t.deepEqual(
    edges.filter(({ to }) => to.endsWith('.own')).map(({ from, to }) => `${from} ${to}`),
    ['marts.network marts.own', 'marts.own checks.own'],
  );
});
