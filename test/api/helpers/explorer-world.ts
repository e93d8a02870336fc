import type { Snapshot } from '../../../warehouse/snapshots/snapshots.ts';
import { createAssess } from '../../../api/scoring/assess.ts';
import type { ApiDeps, ExplorerDeps } from '../../../api/deps.ts';
import { trustedProxies } from '../../../api/explorer/visitor.ts';
import type { NewsItem } from '../../../api/schemas/news.ts';
import { assembleRows } from '../../../models/assemble.ts';
import type { AirlineRoute, Comparison, ScoreStore } from '../../../warehouse/store/types.ts';
import { aStore } from '../../helpers/store.ts';
import { captureLog } from './app.ts';
import { aModel, modelsWith } from './model.ts';

/** Text that would run as a script if a page treated it as markup. */
export const HOSTILE =
  '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>';

/** News with this text and an address that must not become a link. */
export const HOSTILE_NEWS: NewsItem = {
  title: HOSTILE,
  summary: `${HOSTILE}</script><script>document.title="run"</script>`,
  source: HOSTILE,
  url: 'javascript:document.title="run"',
  published_at: '2026-03-09T08:00:00.000Z',
  impact: 'low',
  event_type: 'general',
  severity: 0.1,
};

/** Addresses of most pages; the first page and the page of a flight are left out. */
export const PLACES = [
  '/data',
  '/airports',
  '/airports/JFK',
  '/airports/JFK/today',
  '/airports/AKL',
  '/airlines',
  '/airlines/AA',
  '/airlines/NZ',
  '/routes/JFK-LAX',
  '/routes/LAX-AKL',
  '/map?hour=8',
  '/model',
  '/status',
  '/compare?flights=JFK-LAX-AA-2026-03-20T07:30,JFK-LAX-B6-2026-03-21,LAX-JFK-AA-2026-03-22',
  '/trips?legs=JFK-LAX-AA-2026-03-20T08:00-11:15,LAX-JFK-AA-2026-03-20T13:00',
  '/flights/JFK-LAX-B6-2026-03-20/alternatives?dep_time=17:00',
];

const ROUTES: AirlineRoute[] = [
  { origin: 'JFK', dest: 'LAX', carrier: 'AA' },
  { origin: 'JFK', dest: 'LAX', carrier: 'B6' },
  { origin: 'JFK', dest: 'LAX', carrier: 'DL' },
  { origin: 'LAX', dest: 'JFK', carrier: 'AA' },
];

const COMPARISONS: Comparison[] = ['AA', 'B6', 'DL'].map((key, at) => ({
  key,
  ...{ completedCount: 980, delayedCount: 98, otherCount: 2000 },
  ...{ logRatio: 0.2 * at - 0.2, logRatioSd: 0.1 },
}));

/** Creates a store in which flights from JFK to LAX depart in the hours 6, 7, 8 and 17. */
function explorerStore(): ScoreStore {
  const store = aStore();
  const hours = new Float32Array(24);
  for (const hour of [6, 7, 8, 17]) hours[hour] = 10;
  return {
    ...store,
    airlineRoutes: () => ROUTES,
    comparisons: (kind) => (kind === 'carrier' ? COMPARISONS : []),
    departureHours: (origin, dest) => (`${origin}${dest}` === 'JFKLAX' ? hours : undefined),
  };
}

const SHA256 = '0123456789abcdef'.repeat(4);

const SNAPSHOT: Snapshot = {
  ...{ folder: '/nowhere', damaged: ['forecasts.csv'] },
  files: [{ name: 'forecasts.parquet', bytes: 1_234_567, sha256: SHA256 }],
  manifest: {
    ...{ version: '2026-04-20260310T023000Z-0123456789ab', month: '2026-04', rows: 61_234 },
    createdAt: '2026-03-02T06:00:00.000Z',
    storeVersion: '20260310T023000Z-0123456789ab',
    modelVersion: '0123456789ab',
    columns: [{ name: 'score', type: 'double', about: 'Delay risk, 0 to 100.' }],
    files: [],
    providers: [{ name: 'bts', title: 'BTS', attribution: 'BTS', terms: 'In the public domain.' }],
    leftOut: [{ name: 'caa', title: 'CAA', attribution: 'CAA', terms: 'Not to be sold on.' }],
  },
};

/** Creates the parts of an API with the pages: a model, a forecast at JFK, and hostile news. */
export function explorerDeps(explorer: Partial<ExplorerDeps> = {}): Partial<ApiDeps> {
  const store = explorerStore();
  const models = modelsWith(aModel(0.17).model);
  return {
    stores: { current: () => store },
    models,
    assess: createAssess({ models, assemble: assembleRows, log: captureLog().log }),
    liveInputs: () => ({
      weatherDep: {
        score: 0.2,
        condition: 'Light rain',
        basis: 'forecast',
        fetchedAt: '2026-03-10T13:00:00.000Z',
        tempC: 7.2,
        windMaxKmh: 31,
        precipMaxMm: 1.1,
      },
    }),
    flightNews: () => [HOSTILE_NEWS],
    newsAt: () => '2026-03-10T13:30:00.000Z',
    eventSources: () => ({ newsAt: '2026-03-10T13:30:00.000Z' }),
    snapshots: () => Promise.resolve([SNAPSHOT]),
    explorer: {
      admit: async () => 0,
      refund: async () => {},
      countNew: async (_visitor, flights) => flights.length,
      isTrustedProxy: trustedProxies([]),
      ...explorer,
    },
  };
}
