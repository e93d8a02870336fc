import type { RequestListener } from 'node:http';
import test from 'ava';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import { cardSvg } from '../../../api/explorer/card-svg.ts';
import { chanceText } from '../../../api/explorer/views/chance-lines.ts';
import { comparePage } from '../../../api/explorer/views/compare/compare-page.ts';
import { chanceOf } from '../../../api/explorer/views/flight/chance.ts';
import type { FullScore } from '../../../api/explorer/views/flight/flight-data.ts';
import type { Page } from '../../../api/explorer/views/page.ts';
import { todayPage } from '../../../api/explorer/views/today/today-page.ts';
import { tripPage } from '../../../api/explorer/views/trips/trip-page.ts';
import { SOME_KEY, someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { textOf } from '../helpers/page-get.ts';

const FLIGHT = '/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30';

const BOARD = '/airports/JFK/today';
const COMPARISON = '/compare?flights=JFK-LAX-AA-2026-03-20T07:30,JFK-LAX-B6-2026-03-21';
const TRIP = '/trips?legs=JFK-LAX-AA-2026-03-20T08:00-11:15,LAX-JFK-AA-2026-03-20T13:00';

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

test('every page has a canonical address and an image of 1200×630', async (t) => {
  for (const [url, canonical] of [
    [FLIGHT, FLIGHT],
    [BOARD, BOARD],
    ['/airports/JFK/today?refresh=off', BOARD],
    [COMPARISON, COMPARISON],
    [TRIP, TRIP],
    ['/compare', '/compare'],
    ['/trips', '/trips'],
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
    ...['/cards/trips.png', '/cards/compare.png', '/cards/airports/JFK/today'],
    '/cards/nothing.png',
  ]) {
    t.is((await get(url)).statusCode, 404, url);
  }
});

test('a card or page is refused if the host is not a valid host name', async (t) => {
  const headers = { accept: 'image/png', host: '[' };
  for (const url of ['/cards/compare.png', '/compare']) {
    const { statusCode, payload } = await inject(listener, { method: 'GET', url, headers });
    t.is(statusCode, 400, url);
    t.like(JSON.parse(payload), { error: 'bad_request' });
  }
});

const cardAt = async (page: Page<never>, source: string) =>
  page.card?.(JSON.parse((await get(source)).payload) as never);

test('the image of a board, comparison or trip shows the figures of the API', async (t) => {
  const board = await cardAt(todayPage, '/explorer/today?airport=JFK');
  const { rest, average } = JSON.parse((await get('/explorer/today?airport=JFK')).payload);
  t.is(board?.figure, chanceText(rest.share, 'en-GB'));
  t.is(board?.note, `average flight ${chanceText(average, 'en-GB')}`);
  t.is(board?.score, rest.score);
  const source = COMPARISON.replace('/compare', '/explorer/compare');
  const compared = await cardAt(comparePage, source);
  const shares = (JSON.parse((await get(source)).payload).flights as FullScore[]).map(
    (score) => chanceOf(score)!.share,
  );
  t.is(compared?.figure, chanceText(Math.min(...shares), 'en-GB'));
  t.is(compared?.caption, 'lowest of 2 flights');
  const trip = await cardAt(tripPage, TRIP.replace('/trips', '/explorer/trip'));
  const { payload } = await get(`${TRIP.replace('/trips', '/api/itinerary')}&api_key=${SOME_KEY}`);
  const { missed_connection, as_booked } = JSON.parse(payload).outcome;
  t.is(trip?.figure, chanceText(missed_connection, 'en-GB'));
  t.is(trip?.note, `${chanceText(as_booked, 'en-GB')} take all flights as booked`);
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

test('the widget shows the same probability, interval and average flight as the page of the flight', async (t) => {
  const chanceOf = async (path: string) =>
    textOf(/<p class="chance">(.*?)<\/p>/s.exec((await get(path)).payload)?.[1] ?? '');
  const shown = await chanceOf(`/embed${FLIGHT}`);
  t.regex(shown, /\d+% late or cancelled likely .* average flight on all routes: \d+%$/);
  t.is(shown, await chanceOf(FLIGHT));
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
