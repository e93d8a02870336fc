import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../ground/files.ts';
import { parseCheckHeader } from './check-header.ts';
import { CHECKS, listModelsIn, MODELS, sortModels } from './models.ts';

/** A SQL file in the folder of the setting `MODELS_DIR`. */
export type UserFile = {
  /** `marts/x`, `intermediate/x` or `checks/x`. */
  name: string;
  /** Path of the file. */
  file: string;
  /** The whole text of the file. */
  sql: string;
  /** The models that the SQL reads. */
  reads: string[];
};

/** A file that is not used, with the reason. */
export type UserProblem = { name: string; file: string; why: string };

/** The models and checks of a user; the models are in build order. */
export type UserSql = { models: UserFile[]; checks: UserFile[]; problems: UserProblem[] };

/** Used when there are no files of a user. */
export const NO_USER_SQL: UserSql = { models: [], checks: [], problems: [] };

const FOLDERS = ['intermediate', 'marts', 'checks'] as const;

/** Matches the header of a model and the start of its statement; the rest of the file is its query. */
const CREATE = /^(?:\s*--.*\n)*\s*create or replace table (\w+)\.(\w+) as\s/;

/** Reads the SQL files of a user's folder. A file with an invalid name, header or statement is listed as a problem. */
export async function readUserSql(dir: string | undefined): Promise<UserSql> {
  const files = dir === undefined ? [] : (await Promise.all(FOLDERS.map(readFolder(dir)))).flat();
  const problems = files.flatMap((file) => {
    const why = problemOf(file);
    return why === undefined ? [] : [{ name: file.name, file: file.file, why }];
  });
  const valid = files.filter(({ file }) => !problems.some((problem) => problem.file === file));
  const models = valid.filter(({ name }) => !name.startsWith('checks/'));
  const circular = findCircular(models);
  return {
    models: sortedModels(models.filter((model) => !circular.has(model.name))),
    checks: valid.filter(({ name }) => name.startsWith('checks/')),
    problems: [
      ...problems,
      ...models
        .filter(({ name }) => circular.has(name))
        .map(({ name, file }) => ({
          name,
          file,
          why: `some of these SQL models read each other in a circle: ${[...circular].join(', ')}`,
        })),
    ],
  };
}

/** Returns the query of a model, without its header and `create` statement. */
export function queryOf({ sql }: Pick<UserFile, 'sql'>): string {
  return withoutEnd(sql.replace(CREATE, ''));
}

/** Returns a query without its last semicolon, so that it can be used within another statement. */
export function withoutEnd(sql: string): string {
  return sql.trimEnd().replace(/;$/, '');
}

function readFolder(dir: string) {
  return async (folder: string): Promise<UserFile[]> => {
    const names = await readdir(path.join(dir, folder)).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const files = names.filter((name) => name.endsWith('.sql')).toSorted();
    return Promise.all(
      files.map(async (one) => {
        const name = `${folder}/${one.replace(/\.sql$/, '')}`;
        const file = path.join(dir, folder, one);
        const sql = await readFile(file, 'utf8');
        return { name, file, sql, reads: listModelsIn(sql).filter((read) => read !== name) };
      }),
    );
  };
}

function problemOf({ name, sql }: UserFile): string | undefined {
  const [folder = '', base = ''] = name.split('/');
  if (!/^[a-z][a-z0-9_]*$/.test(base)) {
    return 'the name of the file must consist of small letters, digits and underscores';
  }
  if (MODELS.includes(name) || (folder === 'checks' && CHECKS.includes(base))) {
    return 'this name belongs to the service; rename the file';
  }
  if (!sql.startsWith('-- ')) return 'the file must begin with a comment that describes it';
  if (folder === 'checks') return headerProblem(base, sql);
  const [, schema, table] = CREATE.exec(sql) ?? [];
  if (schema === folder && table === base) return undefined;
  return `after the first comments the file must continue with: create or replace table ${folder}.${base} as`;
}

function headerProblem(check: string, sql: string): string | undefined {
  try {
    parseCheckHeader(check, sql);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns the models that read each other in a circle. */
function findCircular(models: UserFile[]): Set<string> {
  const isCircular = ({ name }: UserFile) => {
    const reached = new Set(models.find((one) => one.name === name)?.reads ?? []);
    // A loop over a set also visits elements that are added during the loop.
    for (const one of reached) {
      for (const read of models.find((model) => model.name === one)?.reads ?? []) reached.add(read);
    }
    return reached.has(name);
  };
  return new Set(models.filter(isCircular).map(({ name }) => name));
}

function sortedModels(models: UserFile[]): UserFile[] {
  return sortModels(models).flatMap((name) => models.find((model) => model.name === name) ?? []);
}
