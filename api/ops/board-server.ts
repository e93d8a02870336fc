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
import { readBody } from '../request-body.ts';

/** Settings that Bull Board passes to a server adapter: page, files and routes. */
type BoardSettings = {
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
  /** Pass this adapter to `createBullBoard`. */
  adapter: IServerAdapter;
  /** Returns the middleware that serves the board. Call this function only after `createBullBoard`. */
  middleware: () => Middleware;
};

const BODY_MAX_BYTES = 100_000;
const FILE_FRESH_S = 3_600;
/** A web font from another host, which the content security policy refuses. */
const EXTERNAL_FONT = /<link href="https:[^>]*>/g;

/** Serves Bull Board with Koa. Bull Board's own Koa adapter needs 76 packages, mostly to render one HTML page. */
export function boardServer(basePath: string): BoardServer {
  const settings: Partial<BoardSettings> = {};
  const set =
    <Names extends (keyof BoardSettings)[]>(...names: Names) =>
    (...values: { [At in keyof Names]: BoardSettings[Names[At] & keyof BoardSettings] }) => {
      for (const [at, name] of names.entries()) Object.assign(settings, { [name]: values[at] });
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
  return { adapter, middleware: () => serveBoard(settings as BoardSettings, basePath) };
}

function serveBoard(settings: BoardSettings, basePath: string): Middleware {
  const { entry, filesRoute, filesPath, routes, uiConfig, viewsPath } = settings;
  const router = new Router({ prefix: basePath });
  for (const route of [entry.route].flat()) {
    router.get(route, async (ctx) => {
      const { name, params } = entry.handler({ basePath, uiConfig });
      ctx.type = 'html';
      const template = await readFile(join(viewsPath, name), 'utf8');
      ctx.body = fillIn(template.replaceAll(EXTERNAL_FONT, ''), params);
    });
  }
  router.get(`${filesRoute}/*file`, async (ctx) => {
    const { file = '' } = ctx.params as { file?: string };
    ctx.set('Cache-Control', `public, max-age=${FILE_FRESH_S}`);
    ctx.type = extname(file);
    ctx.body = await readFileIn(filesPath, file);
  });
  for (const route of routes) {
    router.register(route.route, [route.method].flat(), async (ctx: Context) => {
      try {
        const { status = 200, body } = await route.handler({
          queues: settings.queues,
          uiConfig,
          params: ctx['params'] as Record<string, string>,
          query: ctx.query,
          body: await readJson(ctx),
          headers: ctx.headers as Record<string, string | undefined>,
        });
        ctx.status = status;
        ctx.body = body;
      } catch (error) {
        if (error instanceof RequestError) throw error;
        const { status = 500, body } = settings.onError(error as Error);
        ctx.status = status;
        ctx.body = body;
      }
    });
  }
  return router.routes() as unknown as Middleware;
}

/** Fills in a template that uses only `<%= escaped %>` and `<%- unescaped %>`. */
function fillIn(template: string, values: Record<string, string>): string {
  return template.replaceAll(/<%([=-]) *(\w+) *%>/g, (_, kind: string, name: string) => {
    const value = values[name] ?? '';
    return kind === '-'
      ? value
      : value.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
  });
}

async function readJson(ctx: Context): Promise<Record<string, unknown>> {
  if (!ctx.is('json')) return {};
  const text = await readBody(ctx, BODY_MAX_BYTES);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new RequestError(400, 'bad_request', 'The body is not JSON.', { cause });
  }
}

/** Reads a file in the folder; throws a 404 if the file is missing or hidden. */
async function readFileIn(folder: string, file: string): Promise<Buffer> {
  const missing = new RequestError(404, 'not_found', 'There is nothing at this path.');
  if (file.split('/').some((part) => part.startsWith('.'))) throw missing;
  return readFile(join(folder, file)).catch(() => {
    throw missing;
  });
}
