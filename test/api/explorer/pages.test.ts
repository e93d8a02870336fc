import { gzipSync } from 'node:zlib';
import test from 'ava';
import { createRouter } from '../../../api/app.ts';
import { lateShare } from '../../../api/explorer/views/flight/figures.ts';
import type { FlightData } from '../../../api/explorer/views/flight/flight-data.ts';
import { callsOf } from '../../../api/explorer/views/flight/flight-page.ts';
import { aStore } from '../../helpers/store.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { SOME_KEY, someDeps } from '../helpers/app.ts';
import { explorerDeps, HOSTILE, HOSTILE_NEWS } from '../helpers/explorer-world.ts';
import { createPageGet } from '../helpers/page-get.ts';

const FLIGHT = '/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30';
const SOURCE = '/explorer/flight?origin=JFK&dest=LAX&airline=AA&date=2026-03-20&dep_time=07:30';

const get = createPageGet();
const percentText = (share: number) => `${Math.round(100 * share)}%`;
const dataOf = async (url: string) => JSON.parse((await get(url)).payload) as FlightData;

test('the HTML of a page contains the answer and the data of the page', async (t) => {
  const { statusCode, headers, payload } = await get(FLIGHT);
  t.is(statusCode, 200);
  t.is(headers['content-type'], 'text/html; charset=utf-8');
  const { score } = await dataOf(SOURCE);
  t.true(payload.includes(`aria-label="Score ${score.score} of 100, ${score.label}"`));
  t.true(
    payload.includes(
      `<title>JFK–LAX AA 2026-03-20 07:30: ${percentText(lateShare(score.outlook!))} late or cancelled`,
    ),
  );
  const [, state = ''] = /id="state">(.*?)<\/script>/.exec(payload) ?? [];
  t.deepEqual((JSON.parse(state) as { data: FlightData }).data, await dataOf(SOURCE));
});

test('every figure on a flight page equals the figure of the API', async (t) => {
  const data = await dataOf(SOURCE);
  const [score, ...rest] = callsOf(data);
  const callApi = async (path: string) =>
    JSON.parse((await get(`${path}&api_key=${SOME_KEY}`)).payload) as Record<string, unknown>;
  t.deepEqual(await callApi(score!.path), data.score as unknown as Record<string, unknown>);
  for (const [at, month] of data.months.entries()) {
    t.deepEqual(await callApi(rest[at]!.path), month as unknown as Record<string, unknown>);
  }
  const { airlines } = (await callApi(rest.at(-1)!.path)) as { airlines: { airline: string }[] };
  t.deepEqual(
    airlines.map(({ airline }) => airline).toSorted(),
    data.rivals.map(({ airline }) => airline).toSorted(),
  );
  for (const { airline, score } of data.rivals) {
    const path = `/api/score?origin=JFK&dest=LAX&airline=${airline}&date=2026-03-20&dep_time=07:30`;
    t.is((await callApi(path))['score'], score);
  }
});

test('requests of the pages count against no key', async (t) => {
  const { fakeKeys } = await import('../helpers/app.ts');
  const keys = fakeKeys();
  await createPageGet({ ...explorerDeps(), keys })(FLIGHT);
  await createPageGet({ ...explorerDeps(), keys })(SOURCE);
  t.is(keys.counted, 0);
});

test('a submitted form redirects to the canonical address, also when given city and airline names', async (t) => {
  const submit = async (query: string) => {
    const { statusCode, headers } = await get(`/flights?${query}`);
    return [statusCode, headers.location];
  };
  const date = 'date=2026-03-20';
  t.deepEqual(await submit(`origin=new+york&dest=Los+Angeles&airline=delta&${date}`), [
    303,
    '/flights/JFK-LAX-DL-2026-03-20',
  ]);
  // ICAO codes, as flight trackers show them.
  t.deepEqual(await submit(`origin=kjfk&dest=klax&airline=dal&${date}`), [
    303,
    '/flights/JFK-LAX-DL-2026-03-20',
  ]);
  // Without an airline, the page shows the preferred airline if it flies the route, otherwise the airline with the most
  // flights.
  t.deepEqual(await submit(`origin=jfk&dest=lax&${date}`), [303, '/flights/JFK-LAX-AA-2026-03-20']);
  t.deepEqual(await submit(`origin=jfk&dest=lax&prefers=DL&${date}`), [
    303,
    '/flights/JFK-LAX-DL-2026-03-20',
  ]);
  t.deepEqual(await submit(`origin=lax&dest=jfk&prefers=DL&${date}`), [
    303,
    '/flights/LAX-JFK-AA-2026-03-20',
  ]);
  t.deepEqual(await submit('origin=jfk&dest=lax&dep_time=07:30'), [
    303,
    '/flights/JFK-LAX-AA-2026-03-17?dep_time=07:30',
  ]);
});

test('a refusal is a page for browsers, and JSON for programs and under /api and /explorer', async (t) => {
  const refused = async (url: string, accept?: string) => {
    const { statusCode, headers, payload } = await get(url, accept === undefined ? {} : { accept });
    return [statusCode, String(headers['content-type']).split(';')[0], payload] as const;
  };
  for (const [url, status] of [
    ['/nowhere', 404],
    ['/flights/JFK-LAX-0X-2026-03-20', 404],
    ['/flights/JFK-LAX-AA-2026-02-30', 400],
    ['/flights/JFK-JFK-AA-2026-03-20', 400],
    ['/flights/AKL-LAX', 404],
    ['/flights?origin=AKL&dest=LAX', 404],
  ] as const) {
    const [is, type, payload] = await refused(url);
    t.deepEqual([is, type], [status, 'text/html'], url);
    t.true(payload.includes('data-ask'), 'the form is on the page');
    t.is((await refused(url, '*/*'))[1], 'application/json', url);
  }
  for (const url of ['/api/nowhere', '/api/score', '/explorer/nowhere', '/explorer/flight']) {
    t.is((await refused(url))[1], 'application/json', url);
  }
});

test('an invalid Host header is refused, and no page is drawn with it', async (t) => {
  for (const host of ['[bad', 'a b']) {
    const { statusCode, payload } = await get(FLIGHT, { headers: { host } });
    t.is(statusCode, 400, host);
    t.true(payload.includes('The Host header is not a valid host name.'), host);
  }
  t.is((await get(FLIGHT, { headers: { host: '[::1]:8080' } })).statusCode, 200);
});

test('an internal error shows a page with the request id and no other detail', async (t) => {
  const assess = () => {
    throw new Error('secret of the machine');
  };
  const { statusCode, payload, headers } = await createPageGet({ ...explorerDeps(), assess })(
    FLIGHT,
  );
  t.is(statusCode, 500);
  t.true(payload.includes(String(headers['x-request-id'])));
  t.false(payload.includes('secret of the machine'));
});

test('hostile text in parameters and news stays text, and only web addresses become links', async (t) => {
  const encoded = encodeURIComponent(HOSTILE);
  for (const url of [
    FLIGHT,
    `/flights?origin=${encoded}&dest=LAX&airline=AA&date=2026-03-20`,
    `/flights/${encoded}`,
    `/flights/JFK-LAX-AA-2026-03-20?dep_time=${encoded}`,
    `/${encoded}`,
  ]) {
    const { payload } = await get(url);
    t.false(payload.includes('<img src=x'), url);
    t.is(payload.split('<script').length, 4, `${url}: theme, main, state`);
    t.false(/href="javascript:/.test(payload), url);
  }
  t.is((await dataOf(SOURCE)).score.news[0]?.title, HOSTILE_NEWS.title);
});

test('the policy of a page allows only files of this server, and prevents text from becoming markup', async (t) => {
  for (const url of ['/', FLIGHT, '/status', '/docs', '/nowhere']) {
    const { headers, payload } = await get(url);
    const policy = String(headers['content-security-policy']);
    t.regex(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    t.true(policy.includes("require-trusted-types-for 'script'; trusted-types offline"));
    t.false(/unsafe|https?:/.test(policy));
    t.false(/ style="| on\w+="|<style/.test(payload), url);
    for (const [, address = ''] of payload.matchAll(/(?:src|href)="(\/explorer\/files\/[^"]*)"/g)) {
      const file = await get(address);
      t.is(file.statusCode, 200, address);
      t.regex(String(file.headers['cache-control']), /immutable/);
    }
  }
});

test('the scripts of a page are smaller than 150 kB gzipped', async (t) => {
  const { payload } = await get(FLIGHT);
  const scripts = [...payload.matchAll(/src="([^"]+\.js)"/g)].map(([, address = '']) => address);
  t.is(scripts.length, 2);
  const bytes = await Promise.all(
    scripts.map(async (one) => gzipSync((await get(one)).payload).length),
  );
  t.true(bytes.reduce((sum, one) => sum + one, 0) < 150_000, String(bytes));
});

test('a matching ETag is answered with 304, and long answers are compressed', async (t) => {
  for (const url of [FLIGHT, SOURCE, '/explorer/search?q=']) {
    const { headers } = await get(url);
    const second = await get(url, { headers: { 'if-none-match': String(headers.etag) } });
    t.deepEqual([second.statusCode, second.payload], [304, ''], url);
  }
  const { headers } = await get(FLIGHT, { headers: { 'accept-encoding': 'br' } });
  t.is(headers['content-encoding'], 'br');
});

test('above the request limit, pages and data answer 429 and files are still served', async (t) => {
  const limitedGet = createPageGet(explorerDeps({ admit: async () => 17 }));
  const page = await limitedGet(FLIGHT);
  t.deepEqual([page.statusCode, page.headers['retry-after']], [429, '17']);
  t.true(page.payload.includes('Try again in 17 seconds'));
  const data = await limitedGet(SOURCE);
  t.like(JSON.parse(data.payload), { error: 'rate_limit_exceeded' });
  const [, style = ''] = /href="([^"]+\.css)"/.exec(page.payload) ?? [];
  t.is((await limitedGet(style)).statusCode, 200);
});

test('requests from other sites are refused', async (t) => {
  const { statusCode } = await get(SOURCE, { headers: { 'sec-fetch-site': 'cross-site' } });
  t.is(statusCode, 403);
  t.is((await get(SOURCE, { headers: { 'sec-fetch-site': 'same-origin' } })).statusCode, 200);
});

test('if the explorer is switched off, all of its addresses get 404', async (t) => {
  const getWithoutExplorer = createPageGet({});
  for (const url of ['/', FLIGHT, SOURCE, '/status', '/docs']) {
    const { statusCode, headers } = await getWithoutExplorer(url);
    t.is(statusCode, 404);
    t.is(headers['content-type'], 'application/json; charset=utf-8');
  }
});

test('the router of the API has no routes of the pages', (t) => {
  const paths = createRouter(someDeps(explorerDeps())).stack.map(({ path }) => String(path));
  t.deepEqual(
    paths.filter((path) => !/^\/(api|openapi|mcp|llms|\.well-known)/.test(path)),
    [],
  );
});

test('without model, history or store, a page names what is missing and shows the rest', async (t) => {
  const { explorer } = explorerDeps();
  const pages = { ...(explorer && { explorer }) };
  const plain = (await createPageGet(pages)(FLIGHT)).payload;
  t.regex(plain, /In the record, about \d+ in 100 flights arrived/);
  t.false(plain.includes('100 flights like this'));
  t.true(
    plain.includes('The trained model does not cover this flight') && plain.includes('not used'),
  );
  t.true(plain.includes('adjusted to the time of year and, if known, the departure hour.'));
  const unflown = (await get('/flights/AKL-JFK-NZ-2026-03-20')).payload;
  t.true(unflown.includes('No delay record for this flight'));
  t.true(unflown.includes('make ingest'));
  t.false(/trained model does not cover|Better options/.test(unflown));
  t.true(
    unflown.includes('it is not known how uncertain the score is') &&
      unflown.includes('no newer figures'),
  );
  t.false(/class="[^"]*risk-\d/.test(unflown), 'no colour of risk');
  const status = await createPageGet({ ...pages, stores: { current: () => undefined } })('/status');
  t.is(status.statusCode, 200);
  t.true(status.payload.includes('API calls are refused'));
  t.true(status.payload.includes('No history is loaded, so no flight can be scored'));
  const keys = { ...someDeps().keys, ping: () => Promise.reject(new Error('unavailable')) };
  const keyless = (await createPageGet({ ...explorerDeps(), keys })('/status')).payload;
  t.true(keyless.includes('calls are refused. These pages still work.'));
  t.regex(keyless, /<dt>History<\/dt>\s*<dd>loaded<.*<dt>API keys<\/dt>\s*<dd>unavailable</s);
});

test('without history, every page reports that and still works', async (t) => {
  const emptyGet = createPageGet({ ...explorerDeps(), stores: { current: () => undefined } });
  const store: ScoreStore = { ...aStore(), airlineRoutes: () => [], airlines: () => [] };
  const empty = createPageGet({ ...explorerDeps(), stores: { current: () => store } });
  const urls = ['/', FLIGHT, '/map', '/airports', '/airports/JFK', '/airlines', '/routes/JFK-LAX'];
  for (const url of urls) {
    const refused = await emptyGet(url);
    t.is(refused.statusCode, 503, url);
    t.true(refused.payload.includes('Not ready yet'), url);
    t.regex(refused.payload, /<main.*href="\/status".*<\/main>/s, url);
    const shown = await empty(url);
    t.is(shown.statusCode, 200, `${url} ${/<h1.*?<\/section>/s.exec(shown.payload)?.[0]}`);
    t.false(/NaN|undefined|Infinity|Invalid Date/.test(shown.payload), url);
  }
  t.is((await emptyGet('/model')).statusCode, 503);
  t.is((await emptyGet('/status')).statusCode, 200);
  t.true((await empty('/model')).payload.includes('Scores use statistics only'));
  t.true((await empty('/')).payload.includes('The history has no flights yet'));
  t.true((await empty('/map')).payload.includes('There is nothing to show yet'));
  t.true((await empty('/airports')).payload.includes('There is nothing to compare yet'));
});

test('units follow the visitor’s locale', async (t) => {
  const at = async (language: string) =>
    (await get(FLIGHT, { headers: { 'accept-language': language } })).payload;
  t.true((await at('en-GB')).includes('31 km/h'));
  t.true((await at('en-US')).includes('19 mph'));
  t.true((await at('en-US')).includes('45 °F'));
});
