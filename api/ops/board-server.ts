import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app';
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { RequestError } from '../errors.ts';
import { readBody } from './body.ts';

/** What Bull Board tells a server of itself: the page, its files and its routes. */
type Told = {
  queues: BullBoardQueues;
  viewsPath: string;
  filesRoute: string;
  filesPath: string;
  entry: AppViewRoute;
  routes: readonly AppControllerRoute[];
  onError: Parameters<IServerAdapter['setErrorHandler']>[0];
  uiConfig: UIConfig;
};

export type BoardServer = {
  /** To be given to `createBullBoard`. */
  adapter: IServerAdapter;
  /** What serves the board under the path, once it was told. */
  middleware: () => Middleware;
};

const BODY_MAX_BYTES = 100_000;
const FILE_FRESH_S = 3_600;
/** A typeface of another host, which our policy would refuse. */
const FROM_ELSEWHERE = /<link href="https:[^>]*>/g;

/**
 * Bull Board in Koa. Its own adapter for Koa brings 76 packages, most of them to fill in one page of HTML.
 */
export function boardServer(basePath: string): BoardServer {
  const told: Partial<Told> = {};
  const set =
    <Names extends (keyof Told)[]>(...names: Names) =>
    (...values: { [At in keyof Names]: Told[Names[At] & keyof Told] }) => {
      for (const [at, name] of names.entries()) Object.assign(told, { [name]: values[at] });
      return adapter;
    };
  const adapter: IServerAdapter = {
    setQueues: set('queues'),
    setViewsPath: set('viewsPath'),
    setStaticPath: set('filesRoute', 'filesPath'),
    setEntryRoute: set('entry'),
    setErrorHandler: set('onError'),
    setApiRoutes: set('routes'),
    setUIConfig: set('uiConfig'),
  };
  return { adapter, middleware: () => serving(told as Told, basePath) };
}

function serving(told: Told, basePath: string): Middleware {
  const { entry, filesRoute, filesPath, routes, uiConfig, viewsPath } = told;
  const router = new Router({ prefix: basePath });
  for (const route of [entry.route].flat()) {
    router.get(route, async (ctx) => {
      const { name, params } = entry.handler({ basePath, uiConfig });
      ctx.type = 'html';
      const template = await readFile(join(viewsPath, name), 'utf8');
      ctx.body = filledIn(template.replaceAll(FROM_ELSEWHERE, ''), params);
    });
  }
  router.get(`${filesRoute}/*file`, async (ctx) => {
    const { file = '' } = ctx.params as { file?: string };
    ctx.set('Cache-Control', `public, max-age=${FILE_FRESH_S}`);
    ctx.type = extname(file);
    ctx.body = await fileIn(filesPath, file);
  });
  for (const route of routes) {
    router.register(route.route, [route.method].flat(), async (ctx: Context) => {
      try {
        const { status = 200, body } = await route.handler({
          queues: told.queues,
          uiConfig,
          params: ctx['params'] as Record<string, string>,
          query: ctx.query,
          body: await jsonOf(ctx),
          headers: ctx.headers as Record<string, string | undefined>,
        });
        ctx.status = status;
        ctx.body = body;
      } catch (error) {
        if (error instanceof RequestError) throw error;
        const { status = 500, body } = told.onError(error as Error);
        ctx.status = status;
        ctx.body = body;
      }
    });
  }
  return router.routes() as unknown as Middleware;
}

/** Of a template with `<%= escaped %>` and `<%- as it is %>`, no more. */
function filledIn(template: string, values: Record<string, string>): string {
  return template.replaceAll(/<%([=-]) *(\w+) *%>/g, (_, kind: string, name: string) => {
    const value = values[name] ?? '';
    return kind === '-'
      ? value
      : value.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
  });
}

async function jsonOf(ctx: Context): Promise<Record<string, unknown>> {
  if (!ctx.is('json')) return {};
  const text = await readBody(ctx, BODY_MAX_BYTES);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new RequestError(400, 'bad_request', 'This is no JSON.', { cause });
  }
}

/** A file below the folder. */
async function fileIn(folder: string, file: string): Promise<Buffer> {
  const missing = new RequestError(404, 'not_found', 'There is nothing at this path.');
  if (file.split('/').some((part) => part.startsWith('.'))) throw missing;
  return readFile(join(folder, file)).catch(() => {
    throw missing;
  });
}
