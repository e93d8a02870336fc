import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of `sql/marts` or `sql/intermediate`, and the models its text reads. */
type Model = { name: string; reads: string[] };

const SQL_DIR = path.join(import.meta.dirname, '../sql');

/** They are worked out before `marts/delay_effects` is built, so what they read it reads. */
const BEFORE: Record<string, string> = { 'marts/delay_effects': 'effects' };

/** What keeps a part of the temporary tables they leave behind, for other models to read. */
const AFTER: Record<string, string> = { 'intermediate/int_learned_odds': 'marts/delay_effects' };

const FOUND = ['intermediate', 'marts'].flatMap((folder) =>
  sqlNames(folder).map((name) => modelOf(`${folder}/${name}`)),
);

/** The models, `marts/months` for `sql/marts/months.sql`, each after those it reads. A new file is found by itself. */
export const MODELS: readonly string[] = inOrder(FOUND);

/** The checks of `sql/checks`; each selects offending rows, and its first line says `error` or `warn` and what it finds. */
export const CHECKS: readonly string[] = sqlNames('checks');

/** The views of `sql/views`, for people: all in `main`. */
export const VIEWS: readonly string[] = sqlNames('views');

/** The model and all that it reads, directly or not, in the order they are built. */
export function modelsFor(name: string): string[] {
  const needed = new Set([name]);
  // A set is walked to its end, what is added on the way included.
  for (const one of needed) {
    for (const read of FOUND.find((model) => model.name === one)?.reads ?? []) needed.add(read);
  }
  return MODELS.filter((model) => needed.has(model));
}

/** Each model after those it reads, otherwise by name; throws for models that read each other. */
export function inOrder(models: readonly Model[]): string[] {
  const known = new Set(models.map(({ name }) => name));
  const placed = new Set<string>();
  const isReady = ({ reads }: Model) => reads.every((one) => placed.has(one) || !known.has(one));
  let left = models.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  while (left.length > 0) {
    const next = left.find(isReady);
    if (!next) {
      throw new Error(`models read each other: ${left.map(({ name }) => name).join(', ')}`);
    }
    placed.add(next.name);
    left = left.filter((one) => one !== next);
  }
  return [...placed];
}

/** The models that a text of SQL reads or makes; comments do not count. */
export function modelsIn(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, '');
  const found = code.matchAll(/\b(marts|intermediate)\.(\w+)/g);
  return [...new Set([...found].map(([, folder, name]) => `${folder}/${name}`))];
}

function modelOf(name: string): Model {
  const folder = BEFORE[name];
  const files = [name, ...(folder ? sqlNames(folder).map((file) => `${folder}/${file}`) : [])];
  const reads = files.flatMap((file) =>
    modelsIn(readFileSync(path.join(SQL_DIR, `${file}.sql`), 'utf8')),
  );
  const after = AFTER[name];
  return { name, reads: [...reads.filter((one) => one !== name), ...(after ? [after] : [])] };
}

function sqlNames(folder: string): string[] {
  const files = readdirSync(path.join(SQL_DIR, folder)).filter((file) => file.endsWith('.sql'));
  return files.map((file) => file.replace(/\.sql$/, '')).toSorted();
}
