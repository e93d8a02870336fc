import type { RequestListener } from 'node:http';
import test from 'ava';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import { LANGUAGES, snippet } from '../../../api/openapi/snippets.ts';
import { someDeps } from '../helpers/app.ts';
import { DOCUMENT } from '../helpers/documented.ts';

const handle = createApp(someDeps()).callback();
const listener: RequestListener = (request, response) => void handle(request, response);
const get = (url: string) => inject(listener, { method: 'GET', url });

test('the document is served as JSON and needs no key', async (t) => {
  const { statusCode, headers, payload } = await get('/openapi.json');
  t.is(statusCode, 200);
  t.is(headers['content-type'], 'application/json; charset=utf-8');
  t.deepEqual(JSON.parse(payload), DOCUMENT);
});

test('the page loads nothing but files of this server, and all of them are there', async (t) => {
  const { statusCode, headers, payload } = await get('/docs');
  t.is(statusCode, 200);
  t.is(headers['content-type'], 'text/html; charset=utf-8');
  const addresses = [...payload.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
  t.is(addresses.length, 4);
  for (const address of addresses) {
    t.true(address.startsWith('/docs/'), address);
    const file = await get(address);
    t.is(file.statusCode, 200, address);
    t.true(file.payload.length > 100, address);
    t.is(file.headers['x-content-type-options'], 'nosniff');
  }
});

test('the page may run no inline script and reach no other site, and asks for no badge', async (t) => {
  const { headers, payload } = await get('/docs');
  const policy = String(headers['content-security-policy']);
  t.true(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self';"));
  t.false(policy.includes('unsafe'));
  t.false(/https?:/.test(policy + payload));
  t.notRegex(payload, /<script>|<style|style=|\son\w+=/);
  const start = (await get('/docs/start.js')).payload;
  t.true(start.includes('validatorUrl: null'));
  t.true(start.includes("url: '/openapi.json'"));
});

test('files beyond those of the page are not served', async (t) => {
  for (const url of [
    '/docs/package.json',
    '/docs/index.html',
    '/docs/..%2fpackage.json',
    '/docs/__proto__',
    '/docs/constructor',
  ]) {
    t.is((await get(url)).statusCode, 404, url);
  }
});

test('the page shows how to call in every language with the very function of the docs', async (t) => {
  const script = (await get('/docs/snippets.js')).payload;
  const inBrowser = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as {
    snippet: typeof snippet;
  };
  const url = 'http://127.0.0.1:8080/api/score?origin=JFK&news=true&api_key=secret';
  for (const language of LANGUAGES) {
    t.is(inBrowser.snippet(language, url), snippet(language, url));
    t.false(snippet(language, url).includes('secret'));
  }
  const start = (await get('/docs/start.js')).payload;
  t.true(start.startsWith("import { LANGUAGES, snippet } from '/docs/snippets.js';"));
  // As Swagger UI looks them up.
  t.true(start.includes("'requestSnippetGenerator_' + language"));
});
