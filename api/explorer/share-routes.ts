import type { Router } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import { publicDocument, type PublicDocument } from '../routes/public-document.ts';
import { createAsyncCache, type AsyncCache } from '../scoring/async-cache.ts';
import { currentStore } from '../scoring/current-store.ts';
import { memoizeFor } from '../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { flightsAt, type createAnswers } from './answers.ts';
import { asBuffer, drawCard } from './drawing-thread.ts';
import { servicesOf } from './endpoints/services.ts';
import type { requestLimits } from './visit-limit.ts';
import { invalidHostError } from './visitor.ts';
import { NAV } from './views/shell.ts';
import { matchPath, type Card } from './views/page.ts';
import { PAGES } from './views/pages.ts';
import { airlineAddress, airportAddress, routeAddress } from './views/places/addresses.ts';

type Ctx = ParameterizedContext<ApiState>;

export type ShareParts = {
  answers: ReturnType<typeof createAnswers>;
  checkLimit: (ctx: Ctx) => Promise<void>;
  countCard: ReturnType<typeof requestLimits>['countCard'];
  /** Returns scheme and host; undefined if the `Host` header is not a valid host name. */
  siteOf: (ctx: Ctx) => string | undefined;
  send: (ctx: Ctx, document: PublicDocument, cacheControl: string) => Promise<void>;
};

/**
 * Preview images are cached for one day. The preview image of a shared link keeps showing the score at the time of
 * sharing. The images of boards expire sooner.
 */
const CARD_MAX_AGE_S = 86_400;

/** Preview image for pages without an image of their own. */
const SITE_CARD: Card = {
  title: 'Will your flight be late?',
  subtitle: 'Delay risk by flight, hour, airline and day',
  figure: 'Headwind',
  caption: '',
  note: '',
};

/** Adds the preview images of links, `robots.txt` and the sitemap. */
export function addShareRoutes(
  router: Router<ApiState>,
  { stores }: Pick<ApiDeps, 'stores'>,
  { answers, checkLimit, countCard, siteOf, send }: ShareParts,
): void {
  const cards = createDocumentCache();
  const sitemapsOf = memoizeFor((_store: ScoreStore) => createDocumentCache());
  const sendCard = async (ctx: Ctx, card: Card, maxAgeS = CARD_MAX_AGE_S) => {
    const document = await cards(JSON.stringify(card), async () =>
      publicDocument('image/png', asBuffer(await drawCard(card))),
    );
    await send(ctx, document, `public, max-age=${maxAgeS}`);
  };
  router.get('/cards/headwind.png', async (ctx) => {
    await countCard(ctx, 0, async () => {
      await sendCard(ctx, SITE_CARD);
      return undefined;
    });
  });
  router.get('/cards/*name', async (ctx) => {
    const [, path = ''] = /^\/cards(\/.+)\.png$/.exec(ctx.path) ?? [];
    if (siteOf(ctx) === undefined) throw invalidHostError();
    const page = PAGES.find((one) => one.card && matchPath(one.path, path));
    const params = page && matchPath(page.path, path);
    if (!page?.card || !params) throw notFound();
    const source = page.source({ params, query: ctx.URL.searchParams });
    await countCard(ctx, flightsAt(source), async () => {
      const { body, flightTexts } = await answers.at(source);
      const card = page.card?.(body);
      if (!card) throw notFound();
      await sendCard(ctx, card, page.refreshS);
      return flightTexts;
    });
  });
  router.get('/robots.txt', async (ctx) => {
    const site = siteOf(ctx);
    if (site === undefined) throw notFound();
    const text = `User-agent: *\nDisallow: /api/\nDisallow: /explorer/\nDisallow: /ops\nSitemap: ${site}/sitemap.xml\n`;
    await send(ctx, publicDocument('text/plain; charset=utf-8', text), 'public, max-age=3600');
  });
  router.get('/sitemap.xml', async (ctx) => {
    await checkLimit(ctx);
    const site = siteOf(ctx);
    if (site === undefined) throw notFound();
    const store = currentStore(stores);
    const document = await sitemapsOf(store)(site, async () => sitemapOf(store, site));
    await send(ctx, document, 'public, max-age=3600');
  });
}

/** Maximum total size in bytes of cached preview images, and of cached sitemaps. Enough for a few hundred images. */
const MAX_BYTES = 8_000_000;

function createDocumentCache(): AsyncCache<PublicDocument> {
  return createAsyncCache(MAX_BYTES, ({ body }) => body.length);
}

function sitemapOf(store: ScoreStore, site: string): PublicDocument {
  const urls = pathsOf(store).map((path) => `<url><loc>${site}${path}</loc></url>`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
  return publicDocument('application/xml; charset=utf-8', text);
}

/** A sitemap has at most this many addresses. */
const MAX_ADDRESSES = 50_000;

/** Lists the pages and all airports, airlines and routes. Flights are left out, because they change daily. */
const pathsOf = memoizeFor((store: ScoreStore): string[] => {
  const records = [store, ...store.parts].map(servicesOf);
  const places = records.flatMap(({ all, byOrigin, byAirline }) => [
    ...[...byOrigin.keys()].map(airportAddress),
    ...[...byAirline.keys()].map(airlineAddress),
    ...all.map(({ origin, dest }) => routeAddress(origin, dest)),
  ]);
  return [
    ...NAV.map(({ href }) => href),
    ...['/compare', '/trips', '/coverage', '/data'],
    ...new Set(places),
  ].slice(0, MAX_ADDRESSES);
});

function notFound(): RequestError {
  return new RequestError(404, 'not_found', 'There is nothing at this path.');
}
