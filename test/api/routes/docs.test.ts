import type { RequestListener } from 'node:http';
import test from 'ava';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { ENDPOINTS } from '../../../api/openapi/endpoints.ts';
import { someDeps } from '../helpers/app.ts';
import { DOCUMENT } from '../helpers/documented.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';

function createGet(deps: Partial<ApiDeps> = {}) {
  const handle = createApp(someDeps({ ...explorerDeps(), ...deps })).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return (url: string) =>
    inject(listener, { method: 'GET', url, headers: { accept: 'text/html' } });
}

const get = createGet();

test('the document is served as JSON and needs no key', async (t) => {
  const { statusCode, headers, payload } = await get('/openapi.json');
  t.is(statusCode, 200);
  t.is(headers['content-type'], 'application/json; charset=utf-8');
  t.deepEqual(JSON.parse(payload), DOCUMENT);
});

test('the page has every endpoint, parameter, field, header and status of the document', async (t) => {
  const { statusCode, payload } = await get('/docs');
  t.is(statusCode, 200);
  const [markup = ''] = payload.split('<script type="application/json"');
  for (const { path, answer } of ENDPOINTS) {
    t.true(markup.includes(`<code>GET ${path}</code>`), path);
    t.true(markup.includes(`id="${answer.name}"`), path);
  }
  const named = [...JSON.stringify(DOCUMENT).matchAll(/"(?:properties|headers)":\{"([^"]+)"/g)];
  for (const [, name = ''] of named) t.true(markup.includes(name), name);
  for (const [, place = ''] of markup.matchAll(/href="#([^"]+)"/g)) {
    t.true(markup.includes(`id="${place}"`), `#${place}`);
  }
});

test('an announced endpoint is marked until it is switched on', async (t) => {
  const announced = 'Announced, not available: the score of a flight';
  t.true((await createGet({ isExplainEnabled: false })('/docs')).payload.includes(announced));
  t.false((await createGet({ isExplainEnabled: true })('/docs')).payload.includes(announced));
});
