import type { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import { RequestError } from '../errors.ts';
import { FILES_PATH, loadPageFiles } from './files.ts';
import { flagFile, FLAGS_PATH } from './flags.ts';
import type { ShareParts } from './share-routes.ts';

/** One year. This is safe, because a file's name contains a hash of its content. */
const FILE_MAX_AGE_S = 31_536_000;
/** Thirty days. Flags rarely change. */
const FLAG_MAX_AGE_S = 2_592_000;

/** Adds the scripts, styles and fonts of the pages, and the flags of countries. */
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
}

function notFound(): RequestError {
  return new RequestError(404, 'not_found', 'There is nothing at this path.');
}
