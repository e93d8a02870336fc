import type { RequestListener } from 'node:http';
import inject from 'light-my-request';
import { pino, type Logger } from 'pino';
import { createSignatures } from '../../../api/signatures.ts';
import { createApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import type { Admission, Keystore } from '../../../warehouse/keyring/keystore.ts';
import { generateSigningKey } from '../../../warehouse/live/signing-keys.ts';
import { assessFlight } from '../../../models/score.ts';
import { findUndocumented, type Answer } from './documented.ts';
import { modelsWith } from './model.ts';
import { fakeWatches } from './watches.ts';
import { aStore } from '../../helpers/store.ts';

/** 10:00 in New York on 10 March 2026, 14:00 UTC. */
export const NOW = new Date('2026-03-10T14:00:00Z');

/** A key with a valid checksum, for fakes that accept any key. */
export const SOME_KEY = 'hw_test_000000000000000000000000000Aj27K';

const ISSUED = { apiKey: SOME_KEY, prefix: 'hw_test_000000', monthlyLimit: 100 };
const USAGE = {
  prefix: 'hw_live_1vK7qZ',
  name: 'Acme Travel',
  monthlyLimit: 1000,
  monthCount: 412,
  totalRequests: 5310,
  createdAt: '2026-01-15T09:30:00.000Z',
  history: [],
};

/** Creates a keystore without Redis: it accepts every key and counts calls in `counted`. */
export function fakeKeys(
  admission: Partial<Extract<Admission, { prefix: string }>> = {},
): Keystore & { counted: number } {
  const keys = {
    counted: 0,
    admit: (_apiKey: string, cost: number) => {
      keys.counted += cost;
      const { verdict = 'admitted' as const } = admission;
      return Promise.resolve({
        monthlyLimit: 100,
        monthCount: keys.counted,
        prefix: 'hw_test_000000',
        isAdmin: false,
        ...admission,
        // A call that is not counted never exceeds the limit.
        verdict: cost === 0 ? ('admitted' as const) : verdict,
      });
    },
    refund: (_apiKey: string, cost: number) => {
      keys.counted -= cost;
      return Promise.resolve();
    },
    usage: () => Promise.resolve(USAGE),
    create: () => Promise.resolve(ISSUED),
    setActive: () => Promise.resolve(true),
    ping: () => Promise.resolve(),
  };
  return keys;
}

const NEWS_STATE = {};
const SIGNING_KEYS = [generateSigningKey(NOW)];

/** When news and forecasts were last fetched: half an hour ago. */
export const FETCHED_AT = '2026-03-10T13:30:00.000Z';

/** Creates the parts of an API in memory; `changes` replace single parts. */
export function someDeps(changes: Partial<ApiDeps> = {}): ApiDeps {
  const store = aStore();
  return {
    stores: { current: () => store },
    keys: fakeKeys(),
    assess: assessFlight,
    liveInputs: () => ({}),
    models: modelsWith(undefined),
    forecastsAt: () => FETCHED_AT,
    newsSnapshot: () => NEWS_STATE,
    forecastRecord: () => undefined,
    snapshots: () => Promise.resolve([]),
    watches: fakeWatches(),
    signatures: createSignatures(() => SIGNING_KEYS),
    isExplainEnabled: true,
    requestLinesPerS: 1_000,
    news: async () => ({ items: [], fetchedAt: NOW, isCached: false, isFailed: false }),
    flightNews: () => [],
    eventSources: () => ({}),
    airportEvents: () => ({ news: [], measures: [], statusAt: undefined }),
    newsAt: () => FETCHED_AT,
    now: () => NOW,
    log: pino({ level: 'silent' }),
    ...changes,
  };
}

/**
 * Creates an API as a function from a request to its answer. The function throws for an answer that the OpenAPI
 * document does not describe, so every test also checks the document.
 */
export function anApi(changes: Partial<ApiDeps> = {}) {
  const handle = createApp(someDeps(changes)).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return async (
    url: string,
    { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const response = await inject(listener, { method: method as 'GET', url, headers });
    const answer = {
      status: response.statusCode,
      headers: response.headers as Answer['headers'],
      body: response.payload === '' ? {} : (JSON.parse(response.payload) as Answer['body']),
    };
    const problem = findUndocumented(method, url, answer);
    if (problem !== undefined) throw new Error(`not as documented: ${problem}`);
    return answer;
  };
}

/** Creates a log that records its lines. */
export function captureLog(): {
  log: Logger;
  lines: () => Record<string, unknown>[];
  text: () => string;
} {
  let written = '';
  const log = pino({ level: 'trace' }, { write: (line: string) => void (written += line) });
  const lines = () =>
    written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log, lines, text: () => written };
}

/** Returns the address of a valid `/api/score` call with changed parameters; `undefined` omits a parameter. */
export function scoreUrl(changes: Record<string, string | undefined> = {}): string {
  const params: Record<string, string | undefined> = {
    origin: 'JFK',
    dest: 'LAX',
    airline: 'AA',
    date: '2026-03-20',
    api_key: SOME_KEY,
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) {
      query.set(name, value);
    }
  }
  return `/api/score?${query}`;
}
