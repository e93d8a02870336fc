import { readFileSync } from 'node:fs';
import { parseCheckHeader } from '../../../warehouse/build/check-header.ts';
import { parseDescription } from '../../../warehouse/build/describe.ts';
import { CHECKS, MODELS } from '../../../warehouse/build/models.ts';
import type { UserSql } from '../../../warehouse/build/user-sql.ts';
import type { Lineage, LineageNode } from '../../../warehouse/live/lineage.ts';
import { originOf, relationsIn, findDependencies } from './lineage.ts';
import { layOutLineage, type UnplacedNode } from './lineage-layout.ts';

const SQL_DIR = new URL('../../../warehouse/sql/', import.meta.url);

let builtIn: UnplacedNode[] | undefined;

/** Returns the graph of all models and checks, including a user's own models and checks. */
export function buildLineage({ models, checks, problems }: UserSql): Lineage {
  builtIn ??= readBuiltIn();
  const own = [
    ...models.map(({ name, sql }) => modelNode(name, sql)),
    ...checks.map(({ name, sql }) => checkNode(name.replace('checks/', ''), sql)),
  ].map((node) => ({ ...node, isOwn: true }));
  const names = new Set([...builtIn, ...own].map(({ name }) => name));
  const unused = problems
    .filter(({ name }) => !names.has(relationOf(name)))
    .map(({ name, why }) => ({ ...modelNode(name, ''), isOwn: true, problem: why }));
  const all = [...builtIn, ...own, ...unused];
  const sources = [...new Set(all.flatMap(({ reads }) => reads))]
    .filter((name) => /^(?:raw|reference)\./.test(name))
    .toSorted();
  const nodes = [...sources.map(sourceNode), ...all];
  const known = new Set(nodes.map(({ name }) => name));
  // Ignores unknown names: a query may use `marts` as an alias, and the columns of the alias then look like tables.
  const isKnown = (read: string) => known.has(read);
  return layOutLineage(nodes.map((node) => ({ ...node, reads: node.reads.filter(isKnown) })));
}

function readBuiltIn(): UnplacedNode[] {
  const dependencies = findDependencies();
  const models = MODELS.map((file) => {
    const reads = dependencies.get(relationOf(file)) ?? [];
    return { ...modelNode(file, readSql(file)), reads: [...reads] };
  });
  return [...models, ...CHECKS.map((check) => checkNode(check, readSql(`checks/${check}`)))];
}

function modelNode(file: string, sql: string): UnplacedNode {
  const name = relationOf(file);
  const { comment, columns } = parseDescription(sql);
  return {
    name,
    kind: kindOf(file),
    isOwn: false,
    about: comment,
    columns: [...columns].map(([column, about]) => ({ name: column, about })),
    reads: relationsIn(sql).filter((read) => read !== name),
  };
}

function checkNode(check: string, sql: string): UnplacedNode {
  const { description, thresholds, bounds } = parseCheckHeader(check, sql);
  const severities = (['error', 'warn'] as const).map((severity) => {
    const { rows, reason } = thresholds[severity];
    const when = typeof rows === 'string' ? rows : `${rows.column} > ${rows.above}`;
    return { name: severity, about: `${when}: ${reason}` };
  });
  const limits = bounds.map(({ name, value, meaning }) => ({
    name,
    about: `${value}: ${meaning}`,
  }));
  return {
    name: `checks.${check}`,
    kind: 'check',
    isOwn: false,
    about: description,
    columns: [...severities, ...limits],
    reads: relationsIn(sql),
  };
}

function sourceNode(name: string): UnplacedNode {
  const about = originOf(name)?.replaceAll('`', '') ?? 'Reference data of the service.';
  return { name, kind: 'source', isOwn: false, about, columns: [], reads: [] };
}

function kindOf(file: string): LineageNode['kind'] {
  if (file.startsWith('checks/')) return 'check';
  return file.startsWith('marts/') ? 'mart' : 'intermediate';
}

function relationOf(file: string): string {
  return file.replace('/', '.');
}

function readSql(file: string): string {
  return readFileSync(new URL(`${file}.sql`, SQL_DIR), 'utf8');
}
