import type { RequestListener } from 'node:http';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import type { DrawingRequest } from '../../../api/explorer/drawing-thread.ts';
import { aStore } from '../../helpers/store.ts';
import { someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';

/** The kinds of the tasks that the drawing thread received. */
const kinds: string[] = [];
const postMessage = Reflect.get(Worker.prototype, 'postMessage');
Worker.prototype.postMessage = function (this: Worker, request: DrawingRequest, transfer) {
  kinds.push(request.task.kind);
  postMessage.call(this, request, transfer);
};
const countOf = (kind: string) => kinds.filter((one) => one === kind).length;

const CODES = Array.from({ length: 20 }, (_, at) => `A${String.fromCodePoint(65 + at)}A`);
const ROUTES = CODES.flatMap((origin) =>
  CODES.filter((dest) => dest !== origin).map((dest) => ({ origin, dest, carrier: 'AA' })),
);

/** Creates a listener for an API whose sitemap has 400 addresses. */
function aListener(): { listener: RequestListener; replaceStore: () => void } {
  const createStore = () => ({ ...aStore(), airlineRoutes: () => ROUTES });
  let store = createStore();
  const stores = { current: () => store };
  const handle = createApp(someDeps({ ...explorerDeps(), stores })).callback();
  return {
    listener: (request, response) => void handle(request, response),
    replaceStore: () => void (store = createStore()),
  };
}

const { listener, replaceStore } = aListener();
const get = (url: string, headers: Record<string, string> = {}) =>
  inject(listener, { url, headers: { host: 'a.example', 'accept-encoding': 'br', ...headers } });

test.serial('a card is drawn once and never compressed', async (t) => {
  const first = await get('/cards/headwind.png');
  t.is(first.statusCode, 200);
  t.is(first.headers['content-encoding'], undefined);
  t.deepEqual((await get('/cards/headwind.png')).rawPayload, first.rawPayload);
  const etag = String(first.headers.etag);
  t.is((await get('/cards/headwind.png', { 'if-none-match': etag })).statusCode, 304);
  t.deepEqual([countOf('card'), countOf('pack')], [1, 0]);
});

test.serial('a sitemap is created once for each store and site', async (t) => {
  const first = await get('/sitemap.xml');
  t.is(first.headers['content-encoding'], 'br');
  const before = countOf('pack');
  t.deepEqual((await get('/sitemap.xml')).rawPayload, first.rawPayload);
  t.is(countOf('pack'), before);
  const other = await get('/sitemap.xml', { host: 'b.example', 'accept-encoding': 'identity' });
  t.true(other.payload.includes('<loc>http://b.example/routes/AAA-ABA</loc>'));
  replaceStore();
  await get('/sitemap.xml');
  t.is(countOf('pack'), before + 1, 'a new store has a new sitemap');
});

test.serial('a host name that is too long is refused', async (t) => {
  t.is((await get('/sitemap.xml', { host: 'a'.repeat(253) })).statusCode, 200);
  // In the ASCII form of the name, each `é` has seven characters.
  for (const host of ['a'.repeat(254), 'a'.repeat(15_000), 'é.'.repeat(100)]) {
    t.is((await get('/sitemap.xml', { host })).statusCode, 404);
    t.is((await get('/robots.txt', { host })).statusCode, 404);
    t.is((await get('/', { host })).statusCode, 400);
  }
});
