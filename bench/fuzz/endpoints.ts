import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { createRouter } from '../../api/app.ts';
import type { ApiDeps } from '../../api/deps.ts';

/** A request schema of the API; `name` is its export without `Params`: `score`, `createKey`. */
export type RequestSchema = { name: string; schema: z.ZodObject };

const SCHEMAS = new URL('../../api/schemas/', import.meta.url);

/** Returns every path of the router, so that new routes are included automatically. */
export function routePaths(): string[] {
  return createRouter(fakeDeps() as ApiDeps).stack.map((layer) => String(layer.path));
}

/** Returns every request schema: all exports of api/schemas whose names end in `Params`. */
export async function requestSchemas(): Promise<RequestSchema[]> {
  const files = (await readdir(SCHEMAS)).filter((name) => name.endsWith('.ts')).toSorted();
  const schemas: RequestSchema[] = [];
  for (const file of files) {
    const exported = (await import(new URL(file, SCHEMAS).href)) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(exported)) {
      if (name.endsWith('Params') && schema instanceof z.ZodObject) {
        schemas.push({ name: name.slice(0, -'Params'.length), schema });
      }
    }
  }
  return schemas;
}

/** Returns the schemas whose words are all in the path, in any order; all schemas if no name matches. */
export function schemasOf(path: string, schemas: RequestSchema[]): RequestSchema[] {
  const words = path.toLowerCase().split('/');
  const matching = schemas.filter(({ name }) =>
    name
      .split(/(?=[A-Z])/)
      .every((word) => words.some((part) => part.startsWith(word.toLowerCase()))),
  );
  return matching.length > 0 ? matching : schemas;
}

/** Returns a fake for all parts of the API, because routes are only listed and never called. */
function fakeDeps(): unknown {
  const fake: unknown = new Proxy(() => undefined, {
    get: (_target, name) => (name === 'then' || typeof name === 'symbol' ? undefined : fake),
    apply: () => fake,
  });
  return fake;
}
