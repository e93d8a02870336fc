import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Router } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import { byteRange, type ByteRange } from './byte-range.ts';

type Ctx = ParameterizedContext<ApiState>;

/** Downloads are cached for one day. A file never changes. */
const CACHE = 'public, max-age=86400, immutable';

const TYPES: Record<string, string> = {
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jws': 'application/jose',
};

/** Adds the downloads of snapshots. A file never changes, so its ETag is strong and parts of it can be requested. */
export function addDataRoutes(
  router: Router<ApiState>,
  { snapshots }: Pick<ApiDeps, 'snapshots'>,
  { checkLimit }: { checkLimit: (ctx: Ctx) => Promise<void> },
): void {
  router.get('/data/:version/:name', async (ctx) => {
    await checkLimit(ctx);
    const { version = '', name = '' } = ctx.params;
    const snapshot = (await snapshots()).find(({ manifest }) => manifest.version === version);
    const file = snapshot?.files.find((one) => one.name === name);
    if (!snapshot || !file) {
      throw new RequestError(404, 'not_found', 'There is no such file. /data lists all files.');
    }
    ctx.set({
      ETag: `"${file.sha256}"`,
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': CACHE,
      'X-Content-Type-Options': 'nosniff',
    });
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const range = requestedRange(ctx, file.bytes);
    ctx.set('Accept-Ranges', 'bytes');
    ctx.attachment(`headwind-${snapshot.manifest.month}-${name}`);
    ctx.type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    if (range) {
      ctx.status = 206;
      ctx.set('Content-Range', `bytes ${range.from}-${range.until - 1}/${file.bytes}`);
    }
    const { from, until } = range ?? { from: 0, until: file.bytes };
    // The stream includes the byte at `end`. No listed file is empty, because each file contains at least a header.
    ctx.body = createReadStream(path.join(snapshot.folder, name), { start: from, end: until - 1 });
    ctx.length = until - from;
  });
}

/**
 * Returns the requested range; undefined for the whole file. With `If-Range`, returns a range only if the header
 * contains the ETag of this file.
 */
function requestedRange(ctx: Ctx, bytes: number): ByteRange | undefined {
  const condition = ctx.get('If-Range');
  if (condition !== '' && condition !== ctx.response.get('ETag')) return undefined;
  const range = byteRange(ctx.get('Range'), bytes);
  if (range !== 'unsatisfiable') return range;
  throw new RequestError(416, 'bad_request', `The file has only ${bytes} bytes.`, {
    headers: { 'Content-Range': `bytes */${bytes}`, 'Cache-Control': 'no-store' },
  });
}
