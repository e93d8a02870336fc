import { gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import test from 'ava';
import inject from 'light-my-request';
import { createApp, createRouter } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import type { FlightData } from '../../../api/explorer/views/flight/flight-data.ts';
import { callsOf } from '../../../api/explorer/views/flight/flight-page.ts';
import type { PlacesData } from '../../../api/explorer/views/places.ts';
import { aStore } from '../../helpers/store.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { SOME_KEY, someDeps } from '../helpers/app.ts';
import { explorerDeps, HOSTILE, HOSTILE_NEWS } from '../helpers/explorer-world.ts';

const FLIGHT = '/flights/JFK-LAX-AA-2026-03-20?dep_time=07:30';
const SOURCE = '/explorer/flight?origin=JFK&dest=LAX&airline=AA&date=2026-03-20&dep_time=07:30';

type Asked = { accept?: string; headers?: Record<string, string>; deps?: Partial<ApiDeps> };

/** Those parts are asked as a browser asks, unless told otherwise. */
function asking(deps: Partial<ApiDeps> = explorerDeps()) {
  const handle = createApp(someDeps(deps)).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return (url: string, { accept = 'text/html,*/*', headers = {} }: Asked = {}) =>
    inject(listener, { method: 'GET', url, headers: { accept, ...headers } });
}

const get = asking();
const dataOf = async (url: string) => JSON.parse((await get(url)).payload) as FlightData;

test('a page has its answer in it before any script runs, and sends what it was drawn from along', async (t) => {
  const { statusCode, headers, payload } = await get(FLIGHT);
  t.is(statusCode, 200);
  t.is(headers['content-type'], 'text/html; charset=utf-8');
  const { score } = await dataOf(SOURCE);
  t.true(payload.includes(`aria-label="Score ${score.score} of 100, ${score.label}"`));
  t.true(
    payload.includes(
      `<title>JFK–LAX AA 2026-03-20 07:30: ${score.score}, ${score.label} · Headwind`,
    ),
  );
  const [, state = ''] = /id="state">(.*?)<\/script>/.exec(payload) ?? [];
  t.deepEqual((JSON.parse(state) as { data: FlightData }).data, await dataOf(SOURCE));
});

test('every figure of a flight is that of the API', async (t) => {
  const data = await dataOf(SOURCE);
  const [score, ...rest] = callsOf(data);
  const called = async (path: string) =>
    JSON.parse((await get(`${path}&api_key=${SOME_KEY}`)).payload) as Record<string, unknown>;
  t.deepEqual(await called(score!.path), data.score as unknown as Record<string, unknown>);
  for (const [at, month] of data.months.entries()) {
    t.deepEqual(await called(rest[at]!.path), month as unknown as Record<string, unknown>);
  }
  const { airlines } = (await called(rest.at(-1)!.path)) as { airlines: { airline: string }[] };
  t.deepEqual(
    airlines.map(({ airline }) => airline).toSorted(),
    data.rivals.map(({ airline }) => airline).toSorted(),
  );
  for (const { airline, score } of data.rivals) {
    const path = `/api/score?origin=JFK&dest=LAX&airline=${airline}&date=2026-03-20&dep_time=07:30`;
    t.is((await called(path))['score'], score);
  }
});

test('a question of the pages is counted to no key', async (t) => {
  const { fakeKeys } = await import('../helpers/app.ts');
  const keys = fakeKeys();
  await asking({ ...explorerDeps(), keys })(FLIGHT);
  await asking({ ...explorerDeps(), keys })(SOURCE);
  t.is(keys.counted, 0);
});

test('a form leads on to the one address of its flight, named as people name it', async (t) => {
  const to = async (query: string) => {
    const { statusCode, headers } = await get(`/flights?${query}`);
    return [statusCode, headers.location];
  };
  const date = 'date=2026-03-20';
  t.deepEqual(await to(`origin=new+york&dest=Los+Angeles&airline=delta&${date}`), [
    303,
    '/flights/JFK-LAX-DL-2026-03-20',
  ]);
  // Without an airline the one that flies it most, or the one preferred where it flies there.
  t.deepEqual(await to(`origin=jfk&dest=lax&${date}`), [303, '/flights/JFK-LAX-AA-2026-03-20']);
  t.deepEqual(await to(`origin=jfk&dest=lax&prefers=DL&${date}`), [
    303,
    '/flights/JFK-LAX-DL-2026-03-20',
  ]);
  t.deepEqual(await to(`origin=lax&dest=jfk&prefers=DL&${date}`), [
    303,
    '/flights/LAX-JFK-AA-2026-03-20',
  ]);
  t.deepEqual(await to('origin=jfk&dest=lax&dep_time=07:30'), [
    303,
    '/flights/JFK-LAX-AA-2026-03-17?dep_time=07:30',
  ]);
});

test('a refusal is a page to a browser, and JSON to programs and below /api and /explorer', async (t) => {
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
    t.true(payload.includes('data-ask'), 'the form is at hand');
    t.is((await refused(url, '*/*'))[1], 'application/json', url);
  }
  for (const url of ['/api/nowhere', '/api/score', '/explorer/nowhere', '/explorer/flight']) {
    t.is((await refused(url))[1], 'application/json', url);
  }
});

test('a Host that names no host is refused, and nothing is drawn with it', async (t) => {
  for (const host of ['[bad', 'a b']) {
    const { statusCode, payload } = await get(FLIGHT, { headers: { host } });
    t.is(statusCode, 400, host);
    t.true(payload.includes('The header Host names no host.'), host);
  }
  t.is((await get(FLIGHT, { headers: { host: '[::1]:8080' } })).statusCode, 200);
});

test('what fails on our side is a page with the request id, and nothing else of it', async (t) => {
  const assess = () => {
    throw new Error('secret of the machine');
  };
  const { statusCode, payload, headers } = await asking({ ...explorerDeps(), assess })(FLIGHT);
  t.is(statusCode, 500);
  t.true(payload.includes(String(headers['x-request-id'])));
  t.false(payload.includes('secret of the machine'));
});

test('what others wrote stays text, in parameters and in news, and leads nowhere but to pages', async (t) => {
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

test('a page may load and run nothing but files of this server, and turns no text into markup', async (t) => {
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

test('script of a page is below 150 kB gzipped', async (t) => {
  const { payload } = await get(FLIGHT);
  const scripts = [...payload.matchAll(/src="([^"]+\.js)"/g)].map(([, address = '']) => address);
  t.is(scripts.length, 2);
  const bytes = await Promise.all(
    scripts.map(async (one) => gzipSync((await get(one)).payload).length),
  );
  t.true(bytes.reduce((sum, one) => sum + one, 0) < 150_000, String(bytes));
});

test('who has an answer is told so, and long ones come packed', async (t) => {
  for (const url of [FLIGHT, SOURCE, '/explorer/places']) {
    const { headers } = await get(url);
    const again = await get(url, { headers: { 'if-none-match': String(headers.etag) } });
    t.deepEqual([again.statusCode, again.payload], [304, ''], url);
  }
  const { headers } = await get(FLIGHT, { headers: { 'accept-encoding': 'br' } });
  t.is(headers['content-encoding'], 'br');
});

test('beyond the limit of an address pages and data wait, and files do not', async (t) => {
  const ask = asking(explorerDeps({ admit: async () => 17 }));
  const page = await ask(FLIGHT);
  t.deepEqual([page.statusCode, page.headers['retry-after']], [429, '17']);
  t.true(page.payload.includes('the next is answered in 17 seconds'));
  const data = await ask(SOURCE);
  t.like(JSON.parse(data.payload), { error: 'rate_limit_exceeded' });
  const [, style = ''] = /href="([^"]+\.css)"/.exec(page.payload) ?? [];
  t.is((await ask(style)).statusCode, 200);
});

test('pages of other sites are not answered', async (t) => {
  const { statusCode } = await get(SOURCE, { headers: { 'sec-fetch-site': 'cross-site' } });
  t.is(statusCode, 403);
  t.is((await get(SOURCE, { headers: { 'sec-fetch-site': 'same-origin' } })).statusCode, 200);
});

test('switched off, nothing of it is there', async (t) => {
  const ask = asking({});
  for (const url of ['/', FLIGHT, SOURCE, '/status', '/docs']) {
    const { statusCode, headers } = await ask(url);
    t.is(statusCode, 404);
    t.is(headers['content-type'], 'application/json; charset=utf-8');
  }
});

test('the router of the API knows nothing of the pages', (t) => {
  const paths = createRouter(someDeps(explorerDeps())).stack.map(({ path }) => String(path));
  t.deepEqual(
    paths.filter((path) => !/^\/(api|openapi)/.test(path)),
    [],
  );
});

test('without model, history or store a page says so and shows what there is', async (t) => {
  const { explorer } = explorerDeps();
  const pages = { ...(explorer && { explorer }) };
  const plain = (await asking(pages)(FLIGHT)).payload;
  t.true(plain.includes('Of the flights on record'));
  t.false(plain.includes('Of 100 such flights'));
  t.true(plain.includes('No model is at hand') && plain.includes('none has a part in it'));
  const unflown = (await get('/flights/AKL-JFK-NZ-2026-03-20')).payload;
  t.true(unflown.includes('there are no odds to give'));
  t.false(/No model is at hand|What would be better/.test(unflown));
  t.true(unflown.includes('no interval can be given'));
  t.true(unflown.includes('nothing newer') && unflown.includes('(Delay record)'));
  const status = await asking({ ...pages, stores: { current: () => undefined } })('/status');
  t.is(status.statusCode, 200);
  t.true(status.payload.includes('calls are refused'));
  t.true(status.payload.includes('No history is loaded, so no flight can be scored'));
  const keys = { ...someDeps().keys, ping: () => Promise.reject(new Error('away')) };
  const keyless = (await asking({ ...explorerDeps(), keys })('/status')).payload;
  t.true(keyless.includes('the keys are not in reach; these pages go on'));
  t.regex(keyless, /<dt>History<\/dt>\s*<dd>at hand<.*<dt>Keys<\/dt>\s*<dd>not in reach</s);
});

test('without history every page says so, and works with what there is', async (t) => {
  const none = asking({ ...explorerDeps(), stores: { current: () => undefined } });
  const store: ScoreStore = { ...aStore(), airlineRoutes: () => [], airlines: () => [] };
  const empty = asking({ ...explorerDeps(), stores: { current: () => store } });
  const urls = ['/', FLIGHT, '/map', '/airports', '/airports/JFK', '/airlines', '/routes/JFK-LAX'];
  for (const url of urls) {
    const refused = await none(url);
    t.is(refused.statusCode, 503, url);
    t.true(refused.payload.includes('Not ready yet'), url);
    t.regex(refused.payload, /<main.*href="\/status".*<\/main>/s, url);
    const shown = await empty(url);
    t.is(shown.statusCode, 200, `${url} ${/<h1.*?<\/section>/s.exec(shown.payload)?.[0]}`);
    t.false(/NaN|undefined|Infinity|Invalid Date/.test(shown.payload), url);
  }
  t.is((await none('/model')).statusCode, 503);
  t.is((await none('/status')).statusCode, 200);
  t.true((await empty('/model')).payload.includes('scores rest on statistics alone'));
  t.true((await empty('/')).payload.includes('The history has no flights yet'));
  t.true((await empty('/map')).payload.includes('There is nothing to colour yet'));
  t.true((await empty('/airports')).payload.includes('There is nothing to compare yet'));
  const status = (await empty('/status')).payload;
  t.true(status.includes('no weather forecasts are at hand, so typical weather counts'));
});

test('places come with the busiest first, and any airport can be searched for', async (t) => {
  const { airports } = JSON.parse((await get('/explorer/places')).payload) as PlacesData;
  t.deepEqual(
    airports.map(([iata]) => iata),
    ['JFK', 'LAX'],
  );
  const found = async (q: string) => {
    const { payload } = await get(`/explorer/search?q=${encodeURIComponent(q)}`);
    return (JSON.parse(payload) as { airports: { iata: string }[] }).airports.map(
      ({ iata }) => iata,
    );
  };
  t.deepEqual(await found('auck'), ['AKL']);
  t.deepEqual(await found('new'), ['JFK', 'AKL']);
  t.deepEqual(await found('xyzzy'), []);
});

test('units are those of the place', async (t) => {
  const at = async (language: string) =>
    (await get(FLIGHT, { headers: { 'accept-language': language } })).payload;
  t.true((await at('en-GB')).includes('31 km/h'));
  t.true((await at('en-US')).includes('19 mph'));
  t.true((await at('en-US')).includes('45 °F'));
  t.true((await at('de')).includes('1,1 mm'));
});
