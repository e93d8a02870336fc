import { Router } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { ApiState } from '../context.ts';
import type { ApiDeps, ExplorerDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import type { DrawRefusal } from '../middleware/error-shape.ts';
import { publicDocument } from '../routes/public-document.ts';
import { ENDPOINTS } from './endpoints.ts';
import { FILES_PATH, pageFiles } from './files.ts';
import { createAnswers } from './answers.ts';
import { problemDocument } from './document.ts';
import { createPageDocuments } from './page-documents.ts';
import { OFFLINE_STATUS, SHELL_PATH, WORKER_PATH } from './browser/offline-paths.ts';
import { PAGE_HEADERS, WORKER_POLICY } from './policy.ts';
import { send } from './send.ts';
import { localeOf } from './locale.ts';
import { schemeOf, visitorAddress } from './visitor.ts';
import { PAGES } from './views/pages.ts';
import type { Frame } from './views/page.ts';

type Ctx = ParameterizedContext<ApiState>;

/** Files carry their content in their name. */
const FILE_FRESH_S = 31_536_000;

/** The pages for people, their data and their files; and how a refusal looks to a person. */
export function explorerRoutes(deps: ApiDeps, { admit, trusts }: ExplorerDeps) {
  const router = new Router<ApiState>();
  const answers = createAnswers(deps);
  const documents = createPageDocuments();
  const limited = async (ctx: Ctx) => {
    const waitS = await admit(visitorAddress(ctx.req, trusts));
    if (waitS > 0) throw tooMany(waitS);
  };
  /** Undefined where the header Host names no host. */
  const siteOf = (ctx: Ctx) => URL.parse(`${schemeOf(ctx.req, trusts)}://${ctx.host}`)?.origin;
  const frameOf = (ctx: Ctx, site: string): Frame => ({
    address: ctx.url,
    site,
    locale: localeOf(ctx.get('Accept-Language')),
  });

  for (const endpoint of ENDPOINTS) {
    router.get(endpoint.path, async (ctx) => {
      refuseOtherSites(ctx);
      await limited(ctx);
      ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
      await send(ctx, await answers.document(endpoint, ctx.query), 'no-cache');
    });
  }
  for (const page of PAGES) {
    router.get(page.path, async (ctx) => {
      await limited(ctx);
      const site = siteOf(ctx);
      if (site === undefined) {
        throw new RequestError(400, 'bad_request', 'The header Host names no host.');
      }
      const place = { params: { ...ctx.params }, query: ctx.URL.searchParams };
      const { body, document: data } = await answers.at(page.source(place));
      const address = page.canonical?.(body);
      if (address !== undefined && address !== ctx.url) {
        ctx.status = 303;
        ctx.redirect(address);
        return;
      }
      const frame = frameOf(ctx, site);
      const drawn = await documents({ page, data, frame, files: await pageFiles() });
      ctx.set(PAGE_HEADERS);
      ctx.vary('Accept-Language');
      await send(ctx, drawn, 'private, no-cache');
    });
  }
  router.get(`${FILES_PATH}:name`, async (ctx) => {
    const { name } = ctx.params as { name: string };
    const file = (await pageFiles()).byName.get(name);
    if (!file) throw new RequestError(404, 'not_found', 'There is nothing at this path.');
    await send(ctx, file, `public, max-age=${FILE_FRESH_S}, immutable`);
  });

  router.get(WORKER_PATH, async (ctx) => {
    ctx.set({ 'Content-Security-Policy': WORKER_POLICY, 'Service-Worker-Allowed': '/' });
    await send(ctx, (await pageFiles()).offline, 'no-cache');
  });
  router.get(SHELL_PATH, async (ctx) => {
    const frame = frameOf(ctx, siteOf(ctx) ?? '');
    const html = problemDocument(OFFLINE, frame, await pageFiles());
    ctx.set(PAGE_HEADERS);
    await send(ctx, publicDocument('text/html; charset=utf-8', html), 'no-cache');
  });

  const drawRefusal: DrawRefusal = async (ctx, refusal) => {
    if (!isForPeople(ctx)) return false;
    // Without its files there is no page, and the answer stays what it was.
    const ready = await pageFiles().catch(() => undefined);
    if (!ready) return false;
    const { status, message, param } = refusal;
    const { requestId } = ctx.state;
    const problem = { status, message, ...(param !== undefined && { param }), requestId };
    ctx.set(PAGE_HEADERS);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = problemDocument(problem, frameOf(ctx, siteOf(ctx) ?? ''), ready);
    return true;
  };
  return { router, drawRefusal };
}

/** What stands where nothing was seen and nothing can be asked. */
const OFFLINE = {
  status: OFFLINE_STATUS,
  message: 'What you have seen stays here; a new question needs the network.',
};

/** What a browser shows; programs get JSON, and below `/api` and `/explorer` everybody does. */
function isForPeople(ctx: Ctx): boolean {
  const isForPrograms = /^\/(api|explorer)(\/|$)/.test(ctx.path);
  return !isForPrograms && ctx.accepts('json', 'html') === 'html';
}

/** The endpoints are for our own pages: another site's would use up its visitors' questions. */
function refuseOtherSites(ctx: Ctx): void {
  if (['cross-site', 'same-site'].includes(ctx.get('Sec-Fetch-Site').toLowerCase())) {
    throw new RequestError(403, 'forbidden', 'This is for the pages of this site; use the API.');
  }
}

function tooMany(waitS: number): RequestError {
  return new RequestError(
    429,
    'rate_limit_exceeded',
    `That were many questions in a minute; the next is answered in ${waitS} ${waitS === 1 ? 'second' : 'seconds'}. The API answers more of them.`,
    { headers: { 'Retry-After': String(waitS) } },
  );
}
