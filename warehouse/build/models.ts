import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of `sql/marts` or `sql/intermediate`, and the models that the SQL of the file reads. */
type Model = { name: string; reads: string[] };

const SQL_DIR = path.join(import.meta.dirname, '../sql');

/** Folders of SQL that runs before a model is built. The model depends on all relations that this SQL reads. */
const FOLDERS_BEFORE: Record<string, string> = {
  'marts/delay_effects': 'effects',
  'marts/outcome_effects': 'outcomes',
};

/**
 * Models that read temporary tables of another model. Each value is the name of that other model, which must be built
 * first.
 */
const BUILT_AFTER: Record<string, string> = {
  'intermediate/int_learned_odds': 'marts/delay_effects',
  'marts/outcome_effects': 'marts/delay_effects',
};

const ALL_MODELS = ['intermediate', 'marts'].flatMap((folder) =>
  listSqlNames(folder).map((name) => readModel(`${folder}/${name}`)),
);

/**
 * The models in build order. `marts/months` is the file `sql/marts/months.sql`; every file in the folders of models is
 * a model.
 */
export const MODELS: readonly string[] = sortModels(ALL_MODELS);

/**
 * The checks of `sql/checks`. Each check selects offending rows. Its header says what an offending row means, and when
 * a row is an error or a warning.
 */
export const CHECKS: readonly string[] = listSqlNames('checks');

/** The views of `sql/views`. They are made for people and are in the schema `main`. */
export const VIEWS: readonly string[] = listSqlNames('views');

/** Returns the model and all models that the model reads, directly or indirectly, in build order. */
export function listModelsFor(name: string): string[] {
  const neededModels = new Set([name]);
  // A loop over a set also visits elements that are added during the loop.
  for (const one of neededModels) {
    const reads = ALL_MODELS.find((model) => model.name === one)?.reads ?? [];
    for (const read of reads) neededModels.add(read);
  }
  return MODELS.filter((model) => neededModels.has(model));
}

/**
 * Sorts models so that each model comes after the models that it reads. Models that do not depend on each other are
 * sorted by name. Throws if models read each other in a circle.
 */
export function sortModels(models: readonly Model[]): string[] {
  const allNames = new Set(models.map(({ name }) => name));
  const sorted = new Set<string>();
  const isReady = ({ reads }: Model) => reads.every((one) => sorted.has(one) || !allNames.has(one));
  let rest = models.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  while (rest.length > 0) {
    const next = rest.find(isReady);
    if (!next) {
      throw new Error(
        `some of these SQL models read each other in a circle: ${rest.map(({ name }) => name).join(', ')}`,
      );
    }
    sorted.add(next.name);
    rest = rest.filter((one) => one !== next);
  }
  return [...sorted];
}

/** Lists the models that a SQL text reads or creates, ignoring comments. */
export function listModelsIn(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, '');
  const matches = code.matchAll(/\b(marts|intermediate)\.(\w+)/g);
  return [...new Set([...matches].map(([, folder, name]) => `${folder}/${name}`))];
}

function readModel(name: string): Model {
  const folder = FOLDERS_BEFORE[name];
  const files = [name, ...(folder ? listSqlNames(folder).map((file) => `${folder}/${file}`) : [])];
  const reads = files.flatMap((file) =>
    listModelsIn(readFileSync(path.join(SQL_DIR, `${file}.sql`), 'utf8')),
  );
  const after = BUILT_AFTER[name];
  return { name, reads: [...reads.filter((one) => one !== name), ...(after ? [after] : [])] };
}

function listSqlNames(folder: string): string[] {
  const files = readdirSync(path.join(SQL_DIR, folder)).filter((file) => file.endsWith('.sql'));
  return files.map((file) => file.replace(/\.sql$/, '')).toSorted();
}
