import { readFile } from 'node:fs/promises';
import type { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import { RequestError } from '../errors.ts';
import { publicDocument, type PublicDocument } from '../routes/public-document.ts';
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import { FILES_PATH, loadPageFiles } from './files.ts';
import type { ShareParts } from './share-routes.ts';

/** Files are cached for one year. This is safe, because a file's name contains a hash of its content. */
const FILE_MAX_AGE_S = 31_536_000;
/** Flags are cached for thirty days, because they rarely change. */
const FLAG_MAX_AGE_S = 2_592_000;

/** Path of the flags of countries. */
const FLAGS_PATH = '/explorer/flags/';
/** Path of the clients, which visitors copy into their projects. */
const CLIENTS_PATH = '/clients/';

/** Reads the clients once: they change only with the code. */
const loadClients = loadOnce(async () => {
  const names = ['headwind.ts', 'headwind.py'];
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        const text = await readFile(new URL(`../clients/${name}`, import.meta.url));
        return [name, publicDocument('text/plain; charset=utf-8', text)] as const;
      }),
    ),
  );
});

/** Adds the scripts, styles and fonts of the pages, the flags of countries, and the clients. */
export function addFileRoutes(router: Router<ApiState>, send: ShareParts['send']): void {
  router.get(`${FILES_PATH}:name`, async (ctx) => {
    const file = (await loadPageFiles()).byName.get(ctx.params['name'] ?? '');
    if (!file) throw notFound();
    await send(ctx, file, `public, max-age=${FILE_MAX_AGE_S}, immutable`);
  });
  router.get(`${FLAGS_PATH}:name`, async (ctx) => {
    const flag = await flagFile(ctx.params['name'] ?? '');
    if (!flag) throw notFound();
    await send(ctx, flag, `public, max-age=${FLAG_MAX_AGE_S}`);
  });
  router.get(`${CLIENTS_PATH}:name`, async (ctx) => {
    const { name = '' } = ctx.params;
    const client = (await loadClients()).get(name);
    if (!client) throw notFound();
    ctx.set('Content-Disposition', `attachment; filename="${name}"`);
    await send(ctx, client, 'no-cache');
  });
}

/** Returns the flag of a country as an SVG file, from its ISO 3166 code; undefined for other texts. */
async function flagFile(name: string): Promise<PublicDocument | undefined> {
  const [, code] = /^([A-Z]{2})\.svg$/.exec(name) ?? [];
  if (code === undefined) return undefined;
  try {
    const flag = (await import(`country-flag-icons/string/3x2/${code}`)) as { default: string };
    return publicDocument('image/svg+xml', flag.default);
  } catch {
    // The package has no flag for this code.
    return undefined;
  }
}

function notFound(): RequestError {
  return new RequestError(404, 'not_found', 'There is nothing at this path.');
}
