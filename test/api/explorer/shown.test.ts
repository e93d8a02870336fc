import type { RequestListener } from 'node:http';
import test from 'ava';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import { pageDocument } from '../../../api/explorer/document.ts';
import { scoreOfShare } from '../../../api/explorer/views/places/shares.ts';
import { EXAMPLES } from '../../../api/openapi/examples.ts';
import { usualHours, usualShare, type Days } from '../../../models/usual-risk.ts';
import type { AirlineRoute, Comparison, ScoreStore } from '../../../warehouse/store/types.ts';
import { SOME_KEY, someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { aModel, modelsWith } from '../helpers/model.ts';
import { PLACES_STORE } from '../helpers/places-store.ts';

const createGet = (store: ScoreStore, changes = {}) => {
  const deps = someDeps({ ...explorerDeps(), stores: { current: () => store }, ...changes });
  const handle = createApp(deps).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return async (url: string) => (await inject(listener, { method: 'GET', url })).payload;
};
const get = createGet(PLACES_STORE);
/** Draws the page of a path from the answer of its endpoint. */
const pageOf = async (path: string, source: string, address = path) =>
  drawPage(path, await get(source), address);
const drawPage = (path: string, json: string, address = path) =>
  pageDocument({
    path,
    json,
    frame: { address, site: 'http://localhost', locale: 'en-GB' },
    files: { script: '', theme: '', style: '', fonts: [] },
  });
const callApi = async (path: string) =>
  JSON.parse(await get(`${path}api_key=${SOME_KEY}`)) as unknown;

/** Returns the table cells of each picture, by the picture's id. */
function tablesOf(page: string): Record<string, string[][]> {
  const figures = page.matchAll(/<figure class="picture[^"]*" id="([^"]+)">(.*?)<\/figure>/gs);
  return Object.fromEntries(
    [...figures].map(([, id = '', figure = '']) => {
      const [, body = ''] =
        /<tbody>(.*)<\/tbody>/s.exec(figure.split('class="tools"')[1] ?? '') ?? [];
      const rows = [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
        [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell)),
      );
      return [id, rows];
    }),
  );
}

/** Returns the lists of facts of a page as `name: value`. */
function factsOf(page: string): Record<string, string> {
  const pairs = page.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gs);
  return Object.fromEntries(
    [...pairs].map(([, name = '', value = '']) => [textOf(name), textOf(value)]),
  );
}

const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim();
const rowsOf = (cells: (string | number)[][]) => cells.map((row) => row.map(String));
const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;

const ROUTES = [...PLACES_STORE.airlineRoutes()];
const hoursOf = (routes: AirlineRoute[], days: Days = {}) => usualHours(routes, days, PLACES_STORE);
const usualOf = (routes: AirlineRoute[]) => percent(usualShare(hoursOf(routes)) ?? 0);
const routesFrom = (origin: string) => ROUTES.filter((one) => one.origin === origin);
const routesOf = (code: string) => ROUTES.filter((one) => one.carrier === code);

/** Returns rows with these columns: day, hour, expected share, points, and share of flights. */
function expectedRows(routes: AirlineRoute[], days: [name: string, days: Days][]) {
  return days.flatMap(([name, some]) => {
    const hours = hoursOf(routes, some);
    const all = hours.reduce((sum, { flights }) => sum + flights, 0);
    return hours.flatMap(({ flights, share }, hour) =>
      flights === 0
        ? []
        : [
            [
              name,
              `${hour}`.padStart(2, '0').concat(':00'),
              percent(share),
              scoreOfShare(share),
              percent(flights / all),
            ],
          ],
    );
  });
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (name, at): [string, Days] => [name, { weekday: at + 1 }],
);

const ratioText = (logRatio: number) => Math.exp(logRatio).toFixed(2);
/** Returns the figures of a comparison in the store, with its 90% interval. */
const comparisonFigures = (kind: 'carrier' | 'route_carrier' | 'origin_carrier', key: string) =>
  figuresOf(PLACES_STORE.comparisons(kind).find((one) => one.key === key)!);
const figuresOf = (one: Comparison) => {
  const { logRatio, logRatioSd, completedCount, delayedCount, otherCount } = one;
  const ends = [logRatio, logRatio - 1.645 * logRatioSd, logRatio + 1.645 * logRatioSd].map(
    ratioText,
  );
  return [...ends, completedCount, delayedCount, otherCount];
};

test('the tables of an airport show the cells, comparisons and months of the store', async (t) => {
  const page = await pageOf('/airports/:airport', '/explorer/airport?airport=JFK');
  const tables = tablesOf(page);
  const { flightCount, delayedCount, completedCount, cancelledCount } =
    PLACES_STORE.carriersOnRoute('JFK', 'LAX').reduce((all, one) => ({
      ...all,
      flightCount: all.flightCount + one.flightCount,
      delayedCount: all.delayedCount + one.delayedCount,
      completedCount: all.completedCount + one.completedCount,
      cancelledCount: all.cancelledCount + one.cancelledCount,
    }));
  const facts = factsOf(page);
  t.is(facts['Departures on record'], `${flightCount.toLocaleString('en-GB')} on 1 routes`);
  t.is(
    facts['More than 30 minutes late'],
    `${percent(delayedCount / completedCount)}; all flights: ${percent(PLACES_STORE.network.delayedRate)}`,
  );
  t.is(facts['Cancelled'], percent(cancelledCount / flightCount));
  t.deepEqual(tables['record-months'], [['July', '08:00', percent(5 / 41), '41', '4', '1']]);
  t.deepEqual(tables['usual-weekdays'], rowsOf(expectedRows(routesFrom('JFK'), WEEKDAYS)));
  const airline = (name: string, code: string) => [
    name,
    code,
    ...comparisonFigures('origin_carrier', `JFK${code}`),
    usualOf(routesFrom('JFK').filter(({ carrier }) => carrier === code)),
  ];
  const name = (code: string) => PLACES_STORE.airline(code)?.name ?? code;
  t.deepEqual(tables['airlines'], rowsOf([airline(name('DL'), 'DL'), airline(name('AA'), 'AA')]));
  t.deepEqual(tables['lately'], [['December 2025', '20%', '3%', '100']]);
});

test('the tables of a route and of an airline show the cells and comparisons of the store', async (t) => {
  const route = tablesOf(await pageOf('/routes/:route', '/explorer/route?origin=JFK&dest=LAX'));
  const cell = [percent(5 / 41), '41', '4', '1'];
  t.deepEqual(route['record-months'], [['July', ...cell]]);
  t.deepEqual(route['record-hours'], [['08:00', ...cell]]);
  t.deepEqual(
    route['usual-weekdays'],
    rowsOf(
      expectedRows(
        ROUTES.filter(({ dest }) => dest === 'LAX'),
        WEEKDAYS,
      ),
    ),
  );
  t.deepEqual(
    route['airlines']?.map((row) => row.slice(1, 8)),
    [rowsOf([['DL', ...comparisonFigures('route_carrier', 'JFKLAXDL')]])[0]],
  );
  const airline = tablesOf(await pageOf('/airlines/:airline', '/explorer/airline?airline=AA'));
  t.deepEqual(airline['usual-weekdays'], rowsOf(expectedRows(routesOf('AA'), WEEKDAYS)));
  const rivals = ['DL', 'AA'].map((code) => [
    code,
    ...comparisonFigures('carrier', code),
    usualOf(routesOf(code)),
  ]);
  t.deepEqual(
    airline['rivals']?.map((row) => row.slice(1)),
    rowsOf(rivals),
  );
  const ranking = tablesOf(await pageOf('/airlines', '/explorer/ranking?of=airlines'));
  t.deepEqual(
    ranking['all']?.map((row) => row.slice(1)),
    rowsOf(rivals),
  );
});

test('the map shows the expected risk of each airport and hour, in thousandths', async (t) => {
  const tables = tablesOf(await pageOf('/map', '/explorer/map', '/map?hour=18'));
  const at18 = (routes: AirlineRoute[]) => Math.round(1_000 * hoursOf(routes)[18]!.share) / 1_000;
  t.deepEqual(
    tables['map']?.map(([, code, share, score]) => [code, share, score]),
    ['JFK', 'LAX'].map((code) => [
      code,
      percent(at18(routesFrom(code))),
      String(scoreOfShare(at18(routesFrom(code)))),
    ]),
  );
  t.deepEqual(
    tables['day']?.flatMap(([hour, share]) => (share === 'no flights' ? [] : [[hour, share]])),
    ['08:00', '18:00'].map((hour) => [
      hour,
      percent(Math.round(1_000 * hoursOf(ROUTES)[Number(hour?.slice(0, 2))]!.share) / 1_000),
    ]),
  );
});

test('the status page shows the health check', async (t) => {
  const facts = factsOf(await pageOf('/status', '/explorer/status'));
  const health = (await callApi('/api/health?')) as { history: { flights_until: string } };
  const until = new Date(`${health.history.flights_until}-01`);
  t.is(
    facts['Flight records until'],
    until.toLocaleString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  );
  t.is(facts['History version'], PLACES_STORE.manifest.version);
});

test('/model shows the figures of /api/model: tenths, bands by confidence and month, delays, payouts', async (t) => {
  const models = { ...modelsWith(aModel().model), versionFor: () => '0123' };
  const withModel = createGet(PLACES_STORE, { models });
  const card = await withModel(`/api/model?api_key=${SOME_KEY}`);
  t.like(JSON.parse(card), { version: '0123' });
  t.is(await withModel('/explorer/model'), card);
  const page = drawPage('/model', JSON.stringify(EXAMPLES.model));
  const tables = tablesOf(page);
  const reliability = EXAMPLES.model.score_reliability;
  t.truthy(reliability);
  const figures = (bands: { flights: number; share: number; disrupted: number | null }[]) =>
    bands.map(({ flights, share, disrupted }) => [
      disrupted === null ? 'no flights' : percent(disrupted),
      String(flights),
      percent(share),
    ]);
  const cellsOf = (id: string) => tables[id]?.map((row) => row.slice(1));
  t.deepEqual(
    cellsOf('tenths')?.map((row) => row.slice(0, 3)),
    figures(reliability!.tenths),
  );
  t.deepEqual(cellsOf('bands'), figures(reliability!.bands));
  for (const { from: least, bands } of reliability!.by_confidence) {
    t.deepEqual(cellsOf(`confidence-${least}`), figures(bands));
  }
  for (const { month, bands } of reliability!.by_month ?? []) {
    t.deepEqual(cellsOf(`month-${month}`), figures(bands));
  }
  t.deepEqual(tables.over_120, [['1', '1.1%', '1.2%', '24837']]);
  t.deepEqual(tables['payout-months'], [['March 2025', '17.1', '16.4', '127400']]);
});

test('a long comparison draws both ends, and lists all items by name in a folded index', async (t) => {
  const rated = Array.from({ length: 40 }, (_, at) => ({
    ...{ code: `A${at}`, name: `Airline ${99 - at}`, address: `/airlines/A${at}`, usual: null },
    ...{ flights: 1_000, late: 100, others: 9_000 },
    ...{ ratio: 0.5 + at / 40, low: 0.45 + at / 40, high: 0.55 + at / 40 },
  }));
  const span = { first: '2025-01', last: '2025-12', months: 12 };
  const data = { of: 'airlines', countries: [], span, rated, operators: [], busiest: null };
  const page = drawPage('/airlines', JSON.stringify(data));
  t.true(page.includes('The 18 best') && page.includes('The 18 worst'));
  t.false(page.includes('Most punctual first'));
  t.regex(page, /All 40[^]*<a href="\/airlines\/A39">Airline 60<\/a> <span>×1\.48[^]*Airline 61/);
  t.true(
    drawPage('/airlines', JSON.stringify({ ...data, rated: [] })).includes('nothing to compare'),
  );
});

test('the list of airports shows all comparisons of the store, figure by figure', async (t) => {
  const origins = Array.from({ length: 40 }, (_, at) => ({
    key: at === 3 ? 'JFK' : `Q${at + 10}`,
    ...{ completedCount: 1_000 + at, delayedCount: 100 + at, otherCount: 9_000 + at },
    ...{ logRatio: (at - 20) / 50, logRatioSd: 0.1 },
  }));
  const store: ScoreStore = {
    ...PLACES_STORE,
    comparisons: (kind) => (kind === 'origin' ? origins : PLACES_STORE.comparisons(kind)),
  };
  const page = drawPage('/airports', await createGet(store)('/explorer/ranking?of=airports'));
  const clear = origins.filter(({ logRatio }) => Math.abs(logRatio) > 1.645 * 0.1).length;
  t.true(page.includes(`${clear} of 40 airports are clearly better or worse than average`));
  const label = (one: Comparison) => (one.key === 'JFK' ? 'New York JFK' : one.key);
  const row = (one: Comparison) => [
    ...[label(one), one.key, ...figuresOf(one)],
    one.key === 'JFK' ? usualOf(routesFrom('JFK')) : 'unknown',
  ];
  const { best, worst } = tablesOf(page);
  t.deepEqual(best, rowsOf(origins.slice(0, 18).map(row)));
  t.deepEqual(worst, rowsOf(origins.slice(-18).toReversed().map(row)));
  const [open = '', folded = ''] = page
    .slice(page.indexOf('class="index"'), page.indexOf('class="countries"'))
    .split('<details>');
  const most = origins.slice(-24).map(({ key }) => key);
  t.deepEqual([...open.matchAll(/airports\/(\w+)/g)].map(([, code]) => code).toReversed(), most);
  const listed = [...folded.matchAll(/<li>(.*?)<\/li>/gs)].map(([, one = '']) => textOf(one));
  t.deepEqual(listed, origins.map((one) => `${label(one)} ×${ratioText(one.logRatio)}`).toSorted());
});

test('if the history has weekdays, an airport shows its record by weekday', async (t) => {
  const source = '/explorer/airport?airport=JFK';
  const data = JSON.parse(await get(source)) as object;
  const title = 'On record, by weekday and hour';
  t.false(
    drawPage('/airports/:airport', JSON.stringify({ ...data, by_weekday: null })).includes(title),
  );
  const slots = Array.from({ length: 24 }, (_, hour) =>
    hour === 8 ? { flights: 400, late: 100, cancelled: 0 } : null,
  );
  const by_weekday = Array.from({ length: 7 }, () => slots);
  const page = drawPage('/airports/:airport', JSON.stringify({ ...data, by_weekday }));
  t.true(page.includes(title));
  t.regex(page.slice(page.indexOf(title)), /Monday[^]*Sunday/);
});
