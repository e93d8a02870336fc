import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import { createDeadline } from '../../warehouse/keyring/deadline.ts';
import { RequestError } from '../errors.ts';
import { REDIS_DEADLINE_MS, type OpsDeps } from './deps.ts';
import { readBody } from '../request-body.ts';
import { documentOf } from './html.ts';
import { enterWithToken, startSession, refuseLogin, type EnterDeps } from './session-login.ts';
import { loginPage } from './pages/login.ts';
import { checkToken, type OpsContext, type OpsState } from './visitor.ts';

const FILES: Record<string, [type: string, url: string]> = {
  'tokens.css': [
    'text/css; charset=utf-8',
    new URL('../explorer/style/tokens.css', import.meta.url).href,
  ],
  'ops.css': ['text/css; charset=utf-8', new URL('ops.css', import.meta.url).href],
  'b612.woff2': ['font/woff2', fontFile('b612', 400)],
  'b612-bold.woff2': ['font/woff2', fontFile('b612', 700)],
  'b612-mono.woff2': ['font/woff2', fontFile('b612-mono', 400)],
};
const FILES_PATH = '/ops/files/';
const LOGIN_PATH = '/ops/login';
const FILE_FRESH_S = 300;
const FORM_MAX_BYTES = 4_096;

/** Returns whether the path is open to everyone: the login page and its files. */
export function isOpen(path: string): boolean {
  return path === LOGIN_PATH || path.startsWith(FILES_PATH);
}

/** Reads the fields of a form. Repeated fields are ignored. */
export async function readForm(ctx: Context): Promise<Record<string, string>> {
  if (!ctx.is('urlencoded')) return {};
  const fields = new URLSearchParams(await readBody(ctx, FORM_MAX_BYTES));
  const unique = [...fields].filter(([name]) => fields.getAll(name).length === 1);
  return Object.fromEntries(unique);
}

/** Serves the style sheet and fonts of the pages. */
export function fileRoutes(): Router<OpsState> {
  return new Router<OpsState>().get(`${FILES_PATH}:file`, async (ctx) => {
    const { file = '' } = ctx.params as { file?: string };
    const entry = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
    if (!entry) throw new RequestError(404, 'not_found', 'There is nothing at this path.');
    const [type, url] = entry;
    ctx.set('Cache-Control', `public, max-age=${FILE_FRESH_S}`);
    ctx.type = type;
    ctx.body = await readFile(fileURLToPath(url));
  });
}

/**
 * Serves the login form and handles login and logout. Keys are sent in the body and not stored. The query may only
 * contain the one-time token from `make run`.
 */
export function loginRoutes(deps: EnterDeps & Pick<OpsDeps, 'keys'>): Router<OpsState> {
  const { run } = createDeadline(REDIS_DEADLINE_MS);
  const takeEntry = (token: string) => run(() => deps.takeEntry(token));
  return new Router<OpsState>()
    .get(LOGIN_PATH, async (ctx) => {
      const { token, ...otherParams } = ctx.query;
      if (Object.keys(otherParams).length > 0) {
        throw new RequestError(
          400,
          'bad_request',
          'Do not put a key into the address. Use the form.',
        );
      }
      ctx.type = 'html';
      if (token === undefined) ctx.body = documentOf(loginPage());
      else {
        await enterWithToken(ctx as unknown as OpsContext, String(token), { ...deps, takeEntry });
      }
    })
    .post(LOGIN_PATH, async (ctx) => {
      const { key = '' } = await readForm(ctx);
      const admission = await deps.keys.admit(key.trim(), 0, deps.now());
      if (admission.verdict === 'invalid' || !admission.isAdmin) {
        return refuseLogin(ctx, 'This is not an active admin key.');
      }
      ctx.state.keyPrefix = admission.prefix;
      await startSession(ctx as unknown as OpsContext, { prefix: admission.prefix });
      seeOther(ctx, '/ops');
    })
    .post('/ops/logout', async (ctx) => {
      checkToken(ctx.state.visitor, (await readForm(ctx))['token']);
      (ctx as unknown as OpsContext).session = null;
      seeOther(ctx, LOGIN_PATH);
    });
}

/** Redirects the browser after it has sent a form (status 303). */
export function seeOther(ctx: Pick<Context, 'redirect' | 'status'>, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

function fontFile(family: string, weight: number): string {
  const file = `${family}-latin-${weight}-normal.woff2`;
  return import.meta.resolve(`@fontsource/${family}/files/${file}`);
}
