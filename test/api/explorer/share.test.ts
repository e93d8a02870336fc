import type { RequestListener } from 'node:http';
import test from 'ava';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import { cardSvg } from '../../../api/explorer/card-svg.ts';
import { someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';

const FLIGHT = '/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30';

const handle = createApp(someDeps(explorerDeps())).callback();
const listener: RequestListener = (request, response) => void handle(request, response);
const get = (url: string) =>
  inject(listener, { method: 'GET', url, headers: { accept: 'text/html,*/*', host: 'a.example' } });

const contentOf = (page: string, name: string) =>
  new RegExp(`<(?:meta property|meta name|link rel)="${name}" (?:content|href)="([^"]*)"`).exec(
    page,
  )?.[1];

/** Reads width and height from the header of a PNG file. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test('a flight, a route and an airport have a canonical address and an image of 1200×630', async (t) => {
  for (const [url, canonical] of [
    [FLIGHT, FLIGHT],
    ['/routes/JFK-LAX', '/routes/JFK-LAX'],
    ['/airports/JFK', '/airports/JFK'],
    ['/map?hour=8', '/map'],
    ['/', '/'],
  ] as const) {
    const { payload } = await get(url);
    t.is(contentOf(payload, 'canonical'), `http://a.example${canonical}`, url);
    t.is(contentOf(payload, 'og:url'), `http://a.example${canonical}`, url);
    t.is(contentOf(payload, 'twitter:card'), 'summary_large_image', url);
    const image = contentOf(payload, 'og:image') ?? '';
    t.true(image.startsWith('http://a.example/cards/'), image);
    const { statusCode, headers, rawPayload } = await get(image.slice('http://a.example'.length));
    t.deepEqual([statusCode, headers['content-type']], [200, 'image/png'], image);
    t.deepEqual(sizeOf(rawPayload), [1_200, 630], image);
  }
  const { payload } = await get('/nowhere');
  t.is(contentOf(payload, 'robots'), 'noindex');
  t.is(contentOf(payload, 'og:image'), undefined);
});

test('a card that does not exist is refused', async (t) => {
  for (const url of [
    '/cards/flights/QQQ-LAX-AA-2026-03-20.png',
    '/cards/routes/QQQ-LAX.png',
    '/cards/model/x.png',
    '/cards/nothing.png',
  ]) {
    t.is((await get(url)).statusCode, 404, url);
  }
});

test('texts of a card become shapes, and hostile text cannot become markup', async (t) => {
  const text = '<script>alert(1)</script>';
  const card = { title: text, subtitle: text, figure: '17%', caption: text, note: text };
  const svg = await cardSvg(card);
  t.false(svg.includes('script'));
  t.false(svg.includes('<text'));
  // Every coordinate is a number; a viewer stops drawing a shape at the first other value.
  for (const figure of ['0.4%', '7%', '14%', '38%', '100%']) {
    const drawn = await cardSvg({ ...card, figure, caption: 'late or cancelled', score: 60 });
    for (const [, shape = ''] of drawn.matchAll(/ d="([^"]*)"/g)) {
      t.regex(shape, /^[MLQCZhlz\d. -]+$/);
    }
  }
  t.true((await cardSvg({ ...card, score: 60 })).length > svg.length, 'the scale');
});

test('only the widget may be shown in a frame, and it has no script', async (t) => {
  const widget = await get(`/embed${FLIGHT}`);
  t.is(widget.statusCode, 200);
  t.regex(String(widget.headers['content-security-policy']), /frame-ancestors \*/);
  t.false(widget.payload.includes('<script'));
  t.false(widget.payload.includes('<nav'));
  t.true(widget.payload.includes(`href="http://a.example${FLIGHT}"`));
  t.regex(widget.payload, /late or cancelled/);
  const page = await get(FLIGHT);
  t.regex(String(page.headers['content-security-policy']), /frame-ancestors 'none'/);
  t.true(page.payload.includes(`http://a.example/embed${FLIGHT}`), 'the code to embed it');
});

test('robots.txt names the sitemap, and the sitemap lists pages that exist', async (t) => {
  const robots = (await get('/robots.txt')).payload;
  t.regex(robots, /^Sitemap: http:\/\/a\.example\/sitemap\.xml$/m);
  t.false(/Disallow: \/(flights|cards)/.test(robots));
  const { headers, payload } = await get('/sitemap.xml');
  t.is(headers['content-type'], 'application/xml; charset=utf-8');
  const addresses = [...payload.matchAll(/<loc>http:\/\/a\.example([^<]*)<\/loc>/g)].map(
    ([, path = '']) => path,
  );
  t.true(addresses.includes('/routes/JFK-LAX'));
  // This API has no model card.
  for (const address of addresses.filter((one) => one !== '/model')) {
    t.is((await get(address)).statusCode, 200, address);
  }
});
