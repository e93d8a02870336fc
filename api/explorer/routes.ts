import { Router } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { ApiState } from '../context.ts';
import type { ApiDeps, ExplorerDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import type { DrawRefusal } from '../middleware/error-shape.ts';
import {
  publicDocument,
  sendDocument,
  type Compression,
  type PublicDocument,
} from '../routes/public-document.ts';
import { addDataRoutes } from './data-routes.ts';
import { ENDPOINTS } from './endpoints.ts';
import { addFileRoutes } from './file-routes.ts';
import { loadPageFiles } from './files.ts';
import { createAnswers, flightsAt } from './answers.ts';
import { problemDocument } from './document.ts';
import { createPageDocuments } from './page-documents.ts';
import { OFFLINE_STATUS, SHELL_PATH, WORKER_PATH } from './browser/offline-paths.ts';
import { FRAMABLE_HEADERS, PAGE_HEADERS, WORKER_POLICY } from './policy.ts';
import { addShareRoutes } from './share-routes.ts';
import { invalidHostError, isFromOtherSite, schemeOf, siteAt } from './visitor.ts';
import { requestLimits } from './visit-limit.ts';
import { PAGES } from './views/pages.ts';
import type { Frame } from './views/page.ts';
import { compressInThread } from './drawing-thread.ts';

type Ctx = ParameterizedContext<ApiState>;

/** Returns the routes of the pages, their data and their files. Also returns the function that draws error pages. */
export function explorerRoutes(deps: ApiDeps, explorer: ExplorerDeps) {
  const router = new Router<ApiState>();
  const answers = createAnswers(deps);
  const documents = createPageDocuments();
  const { checkLimit, countFlights, countCard } = requestLimits(explorer);
  /** Returns scheme and host; undefined if the `Host` header is not a valid host name. */
  const siteOf = (ctx: Ctx) => siteAt(schemeOf(ctx.req, explorer.isTrustedProxy), ctx.host);
  const frameOf = (ctx: Ctx, site: string): Frame => ({
    address: ctx.url,
    site,
    locale: localeOf(ctx.get('Accept-Language')),
  });

  for (const endpoint of ENDPOINTS) {
    router.get(endpoint.path, async (ctx) => {
      refuseOtherSites(ctx);
      await countFlights(ctx, endpoint.flights?.(ctx.query) ?? 0, async () => {
        ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
        const { document, flightTexts } = await answers.of(endpoint, ctx.query);
        await send(ctx, document, 'no-cache');
        return flightTexts;
      });
    });
  }
  for (const page of PAGES) {
    router.get(page.path, async (ctx) => {
      refuseLoadingElsewhere(ctx, page);
      const site = siteOf(ctx);
      if (site === undefined) throw invalidHostError();
      const place = { params: { ...ctx.params }, query: ctx.URL.searchParams };
      const source = page.source(place);
      await countFlights(ctx, flightsAt(source), async () => {
        const { body, document: data, flightTexts } = await answers.at(source);
        const address = page.canonical?.(body);
        if (address !== undefined && address !== ctx.url) {
          ctx.status = 303;
          ctx.redirect(address);
          return undefined;
        }
        const frame = frameOf(ctx, site);
        const drawn = await documents({ page, data, frame, files: await loadPageFiles() });
        ctx.set(page.isFramable ? FRAMABLE_HEADERS : PAGE_HEADERS);
        ctx.vary('Accept-Language');
        await send(ctx, drawn, 'private, no-cache');
        return flightTexts;
      });
    });
  }
  addDataRoutes(router, deps, { checkLimit });
  addShareRoutes(router, deps, { answers, checkLimit, countCard, siteOf, send });
  addFileRoutes(router, send);
  router.get(WORKER_PATH, async (ctx) => {
    ctx.set({ 'Content-Security-Policy': WORKER_POLICY, 'Service-Worker-Allowed': '/' });
    await send(ctx, (await loadPageFiles()).offline, 'no-cache');
  });
  router.get(SHELL_PATH, async (ctx) => {
    const frame = frameOf(ctx, siteOf(ctx) ?? '');
    const html = problemDocument(OFFLINE, frame, await loadPageFiles());
    ctx.set(PAGE_HEADERS);
    await send(ctx, publicDocument('text/html; charset=utf-8', html), 'no-cache');
  });

  const drawRefusal: DrawRefusal = async (ctx, refusal) => {
    if (!isForPeople(ctx)) return false;
    // Without the page files, the error is sent as JSON.
    const files = await loadPageFiles().catch(() => undefined);
    if (!files) return false;
    const { status, message, param } = refusal;
    const { requestId } = ctx.state;
    const problem = { status, message, ...(param !== undefined && { param }), requestId };
    ctx.set(PAGE_HEADERS);
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = problemDocument(problem, frameOf(ctx, siteOf(ctx) ?? ''), files);
    return true;
  };
  return { router, drawRefusal, checkLimit };
}

/** The message of the offline page if the browser has no saved data for an address. */
const OFFLINE = {
  status: OFFLINE_STATUS,
  message: 'Pages you have already opened still work. New requests need a connection.',
};

/**
 * Returns whether the answer should be a page. Programs get JSON, and so does every request under `/api` and
 * `/explorer`.
 */
function isForPeople(ctx: Ctx): boolean {
  const isForPrograms = /^\/(api|explorer)(\/|$)/.test(ctx.path);
  return !isForPrograms && ctx.accepts('json', 'html') === 'html';
}

/** Refuses requests from pages of other sites, because they would use up the visitor's request limit. */
function refuseOtherSites(ctx: Ctx): void {
  if (isFromOtherSite(ctx)) {
    throw new RequestError(
      403,
      'forbidden',
      'Only pages of this site may send this request. Use the API.',
    );
  }
}

/**
 * Refuses requests of other sites that load a page into their own page, for example as an image. These requests would
 * use up the visitor's request limit. Other sites may link to every page and show framable pages in a frame.
 */
function refuseLoadingElsewhere(ctx: Ctx, { isFramable }: { isFramable?: true }): void {
  const use = ctx.get('Sec-Fetch-Dest').toLowerCase();
  // If the service worker of this site requests a page, the destination is `empty` in some browsers.
  const isLink =
    use === 'document' || (use === 'empty' && ctx.get('Sec-Fetch-Mode') === 'navigate');
  if (use === '' || isLink || (isFramable && use === 'iframe') || !isFromOtherSite(ctx)) return;
  throw new RequestError(
    403,
    'forbidden',
    'Other sites may link to this page, but not load it into their own pages. Use the API.',
  );
}

/**
 * Returns the visitor's variant of English, such as `en-US`, for figures, dates and units. All texts are in English, so
 * `en-GB` is used for other languages.
 */
export function localeOf(acceptLanguage: string): string {
  const [firstLanguage = ''] = acceptLanguage.split(',');
  const [name = ''] = firstLanguage.trim().split(';');
  try {
    const [locale = DEFAULT_LOCALE] = Intl.getCanonicalLocales(name);
    return new Intl.Locale(locale).language === 'en' ? locale : DEFAULT_LOCALE;
  } catch {
    return DEFAULT_LOCALE;
  }
}

const DEFAULT_LOCALE = 'en-GB';

/**
 * Compresses bodies of at least 13 kB in the drawing thread, so that API calls get the processor first. Compressing
 * smaller bodies would gain nothing: with their headers, they fit into the ten packets that are sent before the first
 * acknowledgement (RFC 6928). Passing a body to the thread also takes as long as sending it.
 */
const COMPRESSION: Compression = { compress: compressInThread, fromBytes: 13_000 };

/** Sends the document to a visitor. */
function send(
  ctx: ParameterizedContext,
  document: PublicDocument,
  cacheControl: string,
): Promise<void> {
  return sendDocument(ctx, document, { 'Cache-Control': cacheControl }, COMPRESSION);
}
