import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { createRouter } from '../../api/app.ts';
import type { ApiDeps } from '../../api/deps.ts';

/** A request schema of the API, under its export's name without `Params`: `score`, `createKey`. */
export type RequestSchema = { name: string; schema: z.ZodObject };

const SCHEMAS = new URL('../../api/schemas/', import.meta.url);

/** Every path the router serves; a new route is found without being named here. */
export function routePaths(): string[] {
  return createRouter(anything() as ApiDeps).stack.map((layer) => String(layer.path));
}

/** Every request schema: whatever is exported from api/schemas under a name that ends in `Params`. */
export async function requestSchemas(): Promise<RequestSchema[]> {
  const files = (await readdir(SCHEMAS)).filter((name) => name.endsWith('.ts')).toSorted();
  const found: RequestSchema[] = [];
  for (const file of files) {
    const exported = (await import(new URL(file, SCHEMAS).href)) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(exported)) {
      if (name.endsWith('Params') && schema instanceof z.ZodObject) {
        found.push({ name: name.slice(0, -'Params'.length), schema });
      }
    }
  }
  return found;
}

/** The schemas whose name is in the path, in any order of its words; all of them when there is none. */
export function schemasOf(path: string, schemas: RequestSchema[]): RequestSchema[] {
  const words = path.toLowerCase().split('/');
  const fitting = schemas.filter(({ name }) =>
    name
      .split(/(?=[A-Z])/)
      .every((word) => words.some((part) => part.startsWith(word.toLowerCase()))),
  );
  return fitting.length > 0 ? fitting : schemas;
}

/** Stands for all parts of the API; routes are listed, none is called. */
function anything(): unknown {
  const one: unknown = new Proxy(() => undefined, {
    get: (_target, name) => (name === 'then' || typeof name === 'symbol' ? undefined : one),
    apply: () => one,
  });
  return one;
}
