import type { RequestListener } from 'node:http';
import inject from 'light-my-request';
import { pino, type Logger } from 'pino';
import { createApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import type { Admission, Keystore } from '../../../warehouse/keyring/keystore.ts';
import { assessFlight } from '../../../models/score.ts';
import { undescribed, type Answer } from './documented.ts';
import { aStore } from '../../helpers/store.ts';

/** Ten in the morning of 10 March 2026 in New York, 14:00 UTC. */
export const NOW = new Date('2026-03-10T14:00:00Z');

/** A key with the right checksum, for fakes that accept any. */
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

/** A keystore without Redis: every key is known, and calls are counted in `counted`. */
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
        // A free call is never over.
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

const NEWS_KNOWN = {};

/** Parts of an API that needs nothing but memory; the ones given replace the usual. */
export function someDeps(changes: Partial<ApiDeps> = {}): ApiDeps {
  const store = aStore();
  return {
    stores: { current: () => store },
    keys: fakeKeys(),
    assess: assessFlight,
    liveInputs: () => ({}),
    models: { of: () => undefined },
    forecastsAt: () => undefined,
    newsKnown: () => NEWS_KNOWN,
    explains: true,
    requestLinesPerS: 1_000,
    news: async () => ({ items: [], fetchedAt: NOW, isCached: false }),
    flightNews: () => [],
    eventSources: () => ({}),
    newsAt: () => undefined,
    now: () => NOW,
    log: pino({ level: 'silent' }),
    ...changes,
  };
}

/**
 * An API made of those parts, as a function from a request to its answer.
 * It throws for an answer that the OpenAPI document does not describe, so every test holds the two together.
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
    const problem = undescribed(method, url, answer);
    if (problem !== undefined) throw new Error(`not as documented: ${problem}`);
    return answer;
  };
}

/** A log that keeps what is written to it. */
export function keptLog(): {
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

/** `/api/score` for a good flight, with those parameters changed; `undefined` leaves one out. */
export function scoreUrl(changes: Record<string, string | undefined> = {}): string {
  const params: Record<string, string | undefined> = {
    origin: 'JFK',
    dest: 'LAX',
    airline: 'AA',
    date: '2026-03-20',
    api_key: SOME_KEY,
    ...changes,
  };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) {
      given.set(name, value);
    }
  }
  return `/api/score?${given}`;
}
