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
import { PLACES_STORE } from '../helpers/places-store.ts';

const getOf = (store: ScoreStore) => {
  const deps = someDeps({ ...explorerDeps(), stores: { current: () => store } });
  const handle = createApp(deps).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return async (url: string) => (await inject(listener, { method: 'GET', url })).payload;
};
const get = getOf(PLACES_STORE);
/** The page of that path, of what the endpoint answers; its address where that matters. */
const pageOf = async (path: string, source: string, address = path) =>
  drawn(path, await get(source), address);
const drawn = (path: string, json: string, address = path) =>
  pageDocument({
    path,
    json,
    frame: { address, site: 'http://localhost', locale: 'en-GB' },
    files: { script: '', theme: '', style: '', fonts: [] },
  });
const called = async (path: string) =>
  JSON.parse(await get(`${path}api_key=${SOME_KEY}`)) as unknown;

/** Cells of the rows behind each picture, by its name. */
function tablesOf(page: string): Record<string, string[][]> {
  const figures = page.matchAll(/<figure class="picture[^"]*" id="([^"]+)">(.*?)<\/figure>/gs);
  return Object.fromEntries(
    [...figures].map(([, id = '', figure = '']) => {
      const [, body = ''] =
        /<tbody>(.*)<\/tbody>/s.exec(figure.split('class="tools"')[1] ?? '') ?? [];
      const rows = [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
        [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => plain(cell)),
      );
      return [id, rows];
    }),
  );
}

/** What a page says besides, as `name: value` of its lists of facts. */
function factsOf(page: string): Record<string, string> {
  const pairs = page.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gs);
  return Object.fromEntries(
    [...pairs].map(([, name = '', value = '']) => [plain(name), plain(value)]),
  );
}

const plain = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim();
const rowsOf = (cells: (string | number)[][]) => cells.map((row) => row.map(String));
const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;

const ROUTES = [...PLACES_STORE.airlineRoutes()];
const hoursOf = (routes: AirlineRoute[], days: Days = {}) => usualHours(routes, days, PLACES_STORE);
const usualOf = (routes: AirlineRoute[]) => percent(usualShare(hoursOf(routes)) ?? 0);
const from = (origin: string) => ROUTES.filter((one) => one.origin === origin);
const of = (code: string) => ROUTES.filter((one) => one.carrier === code);

/** By hour, of the days named: what is to be expected, its points, its share of the flights. */
function expected(routes: AirlineRoute[], days: [name: string, days: Days][]) {
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

const times = (logRatio: number) => Math.exp(logRatio).toFixed(2);
/** What a comparison of the store says, 90 % of the cases within. */
const compared = (kind: 'carrier' | 'route_carrier' | 'origin_carrier', key: string) =>
  figuresOf(PLACES_STORE.comparisons(kind).find((one) => one.key === key)!);
const figuresOf = (one: Comparison) => {
  const { logRatio, logRatioSd, completedCount, delayedCount, otherCount } = one;
  const ends = [logRatio, logRatio - 1.645 * logRatioSd, logRatio + 1.645 * logRatioSd].map(times);
  return [...ends, completedCount, delayedCount, otherCount];
};

test('the tables of an airport are the cells, comparisons and months of the store', async (t) => {
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
    `${percent(delayedCount / completedCount)} of them; ${percent(PLACES_STORE.network.delayedRate)} everywhere`,
  );
  t.is(facts['Cancelled'], percent(cancelledCount / flightCount));
  t.deepEqual(tables['record-months'], [['July', '08:00', percent(5 / 41), '41', '4', '1']]);
  t.deepEqual(tables['usual-weekdays'], rowsOf(expected(from('JFK'), WEEKDAYS)));
  const airline = (name: string, code: string) => [
    name,
    code,
    ...compared('origin_carrier', `JFK${code}`),
    usualOf(from('JFK').filter(({ carrier }) => carrier === code)),
  ];
  const name = (code: string) => PLACES_STORE.airline(code)?.name ?? code;
  t.deepEqual(tables['airlines'], rowsOf([airline(name('DL'), 'DL'), airline(name('AA'), 'AA')]));
  t.deepEqual(tables['lately'], [['December 2025', '20%', '3%', '100']]);
});

test('the tables of a route and of an airline are the cells and comparisons of the store', async (t) => {
  const route = tablesOf(await pageOf('/routes/:route', '/explorer/route?origin=JFK&dest=LAX'));
  const cell = [percent(5 / 41), '41', '4', '1'];
  t.deepEqual(route['record-months'], [['July', ...cell]]);
  t.deepEqual(route['record-hours'], [['08:00', ...cell]]);
  t.deepEqual(
    route['usual-weekdays'],
    rowsOf(
      expected(
        ROUTES.filter(({ dest }) => dest === 'LAX'),
        WEEKDAYS,
      ),
    ),
  );
  t.deepEqual(
    route['airlines']?.map((row) => row.slice(1, 8)),
    [rowsOf([['DL', ...compared('route_carrier', 'JFKLAXDL')]])[0]],
  );
  const airline = tablesOf(await pageOf('/airlines/:airline', '/explorer/airline?airline=AA'));
  t.deepEqual(airline['usual-weekdays'], rowsOf(expected(of('AA'), WEEKDAYS)));
  const rivals = ['DL', 'AA'].map((code) => [
    code,
    ...compared('carrier', code),
    usualOf(of(code)),
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

test('the map has of each airport and hour what is to be expected, in thousandths', async (t) => {
  const tables = tablesOf(await pageOf('/map', '/explorer/map', '/map?hour=18'));
  const at18 = (routes: AirlineRoute[]) => Math.round(1_000 * hoursOf(routes)[18]!.share) / 1_000;
  t.deepEqual(
    tables['map']?.map(([, code, share, score]) => [code, share, score]),
    ['JFK', 'LAX'].map((code) => [
      code,
      percent(at18(from(code))),
      String(scoreOfShare(at18(from(code)))),
    ]),
  );
  t.deepEqual(
    tables['day']?.flatMap(([hour, share]) => (share === 'nothing leaves' ? [] : [[hour, share]])),
    ['08:00', '18:00'].map((hour) => [
      hour,
      percent(Math.round(1_000 * hoursOf(ROUTES)[Number(hour?.slice(0, 2))]!.share) / 1_000),
    ]),
  );
});

test('each line of the board has the score of the API, and the status is its health', async (t) => {
  const page = await pageOf('/', '/explorer/start');
  const lines = [
    ...page.matchAll(/href="\/flights\/(\w+)-(\w+)-(\w+)-([\d-]+)".*?<b>(\d+)<\/b>/gs),
  ];
  t.true(lines.length > 0);
  for (const [, origin, dest, airline, date, score] of lines) {
    const path = `/api/score?origin=${origin}&dest=${dest}&airline=${airline}&date=${date}&`;
    t.is(((await called(path)) as { score: number }).score, Number(score));
  }
  const facts = factsOf(await pageOf('/status', '/explorer/status'));
  const health = (await called('/api/health?')) as { history: { flights_until: string } };
  const until = new Date(`${health.history.flights_until}-01`);
  t.is(
    facts['Flights known until'],
    until.toLocaleString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  );
  t.is(facts['Its version'], PLACES_STORE.manifest.version);
});

test('/model has the figures of /api/model: tenths, bands, and bands by confidence and month', async (t) => {
  t.deepEqual(JSON.parse(await get('/explorer/model')), await called('/api/model?'));
  const model = EXAMPLES.model;
  const page = drawn('/model', JSON.stringify(model));
  const tables = tablesOf(page);
  const came = model.score_reliability;
  t.truthy(came);
  const figures = (of: { flights: number; share: number; disrupted: number | null }[]) =>
    of.map(({ flights, share, disrupted }) => [
      disrupted === null ? 'no flights' : percent(disrupted),
      String(flights),
      percent(share),
    ]);
  const shown = (id: string) => tables[id]?.map((row) => row.slice(1));
  t.deepEqual(shown('tenths'), figures(came!.tenths));
  t.deepEqual(shown('bands'), figures(came!.bands));
  for (const { from: least, bands } of came!.by_confidence) {
    t.deepEqual(shown(`confidence-${least}`), figures(bands));
  }
  for (const { month, bands } of came!.by_month ?? []) {
    t.deepEqual(shown(`month-${month}`), figures(bands));
  }
});

test('of many that are compared both ends are drawn, and all stand folded in an index by name', async (t) => {
  const rated = Array.from({ length: 40 }, (_, at) => ({
    ...{ code: `A${at}`, name: `Airline ${99 - at}`, address: `/airlines/A${at}`, usual: null },
    ...{ flights: 1_000, late: 100, others: 9_000 },
    ...{ ratio: 0.5 + at / 40, low: 0.45 + at / 40, high: 0.55 + at / 40 },
  }));
  const span = { first: '2025-01', last: '2025-12', months: 12 };
  const data = { of: 'airlines', span, rated, busiest: null };
  const page = drawn('/airlines', JSON.stringify(data));
  t.true(page.includes('The 18 best') && page.includes('The 18 worst'));
  t.false(page.includes('The least late first'));
  t.regex(page, /All 40[^]*<a href="\/airlines\/A39">Airline 60<\/a> <span>×1\.48[^]*Airline 61/);
  t.true(drawn('/airlines', JSON.stringify({ ...data, rated: [] })).includes('nothing to compare'));
});

test('the list of airports has the comparisons of the store, all of them and figure by figure', async (t) => {
  const origins = Array.from({ length: 40 }, (_, at) => ({
    key: at === 3 ? 'JFK' : `Q${at + 10}`,
    ...{ completedCount: 1_000 + at, delayedCount: 100 + at, otherCount: 9_000 + at },
    ...{ logRatio: (at - 20) / 50, logRatioSd: 0.1 },
  }));
  const store: ScoreStore = {
    ...PLACES_STORE,
    comparisons: (kind) => (kind === 'origin' ? origins : PLACES_STORE.comparisons(kind)),
  };
  const page = drawn('/airports', await getOf(store)('/explorer/ranking?of=airports'));
  const clear = origins.filter(({ logRatio }) => Math.abs(logRatio) > 1.645 * 0.1).length;
  t.true(page.includes(`${clear} of 40 differ from their like`));
  const named = (one: Comparison) => (one.key === 'JFK' ? 'New York JFK' : one.key);
  const row = (one: Comparison) => [
    ...[named(one), one.key, ...figuresOf(one)],
    one.key === 'JFK' ? usualOf(from('JFK')) : 'not known',
  ];
  const { best, worst } = tablesOf(page);
  t.deepEqual(best, rowsOf(origins.slice(0, 18).map(row)));
  t.deepEqual(worst, rowsOf(origins.slice(-18).toReversed().map(row)));
  const [open = '', folded = ''] = page.slice(page.indexOf('class="index"')).split('<details>');
  const most = origins.slice(-24).map(({ key }) => key);
  t.deepEqual([...open.matchAll(/airports\/(\w+)/g)].map(([, code]) => code).toReversed(), most);
  const listed = [...folded.matchAll(/<li>(.*?)<\/li>/gs)].map(([, one = '']) => plain(one));
  t.deepEqual(listed, origins.map((one) => `${named(one)} ×${times(one.logRatio)}`).toSorted());
});

test('where the history tells weekdays, an airport shows its record by them', async (t) => {
  const source = '/explorer/airport?airport=JFK';
  const data = JSON.parse(await get(source)) as object;
  const title = 'On record, by weekday and hour';
  t.false(
    drawn('/airports/:airport', JSON.stringify({ ...data, by_weekday: null })).includes(title),
  );
  const slots = Array.from({ length: 24 }, (_, hour) =>
    hour === 8 ? { flights: 400, late: 100, cancelled: 0 } : null,
  );
  const by_weekday = Array.from({ length: 7 }, () => slots);
  const page = drawn('/airports/:airport', JSON.stringify({ ...data, by_weekday }));
  t.true(page.includes(title));
  t.regex(page.slice(page.indexOf(title)), /Monday[^]*Sunday/);
});
