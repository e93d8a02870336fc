import addFormats from 'ajv-formats';
import test from 'ava';
import { aStore } from '../../helpers/store.ts';
import { isNeeded } from '../../../api/openapi/json-schema.ts';
import { OpenAPIBackend, type Document as BackendDocument } from 'openapi-backend';
import { randomFrom, type Random } from '../../../bench/generate/random.ts';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { anApi, fakeKeys, SOME_KEY } from '../helpers/app.ts';
import type { Answer } from '../helpers/documented.ts';

const REQUESTS = 520;

/** Values of each parameter: valid, at the edge, and invalid. */
const VALUES: Record<string, string[]> = {
  origin: ['JFK', 'JFK', 'lax', 'SFO', 'ZZZ', 'JF', 'J1K', 'KJFK'],
  dest: ['LAX', 'LAX', 'jfk', 'BOS', 'ZZZ', '', 'L-X'],
  airline: ['AA', 'AA', 'dl', 'B6', '00', 'A', 'AAL', '??'],
  date: ['2026-03-20', '2026-03-20', '2027-03-10', '2027-03-11', '2026-02-30', '20.3.2026', ''],
  dep_time: ['17:30', '00:00', '23:59', '24:00', '7:30', 'noon'],
  news: ['true', 'false', 'yes', 'TRUE'],
  refresh: ['true', 'false', 'no'],
  signed: ['true', 'false', 'maybe'],
  include: ['lineage', 'blend,interval', 'outlook,by_hour,lineage', 'all', 'lineage,'],
  payout: ['60:100,120:250,cancelled:400', 'diverted:9.5', '14:1', '361:1', '60', '60:-1'],
  month: ['2026-03', '2027-03', '2027-05', '2026-13', '2', '12', '13', '0'],
  year: ['2026', '2000', '9999', '1999', '10000', '26', '0', 'x'],
  flights: [
    'JFK-LAX-AA-2026-03-20',
    'JFK-LAX-AA-2026-03-20T17:30,x',
    'JFK-LAX-00-2026-03-20',
    'a,,b',
  ],
  name: ['Acme', '', 'a'.repeat(101)],
  email: ['dev@acme.example', 'nobody'],
  legs: [
    'JFK-LAX-AA-2026-03-20T08:00-11:15,LAX-JFK-AA-2026-03-20T12:45',
    'JFK-LAX-AA-2026-03-20T08:00,LAX-JFK-AA-2026-03-21T08:00,JFK-LAX-DL-2026-03-22T07:00-10:30',
    'JFK-LAX-AA-2026-03-20T08:00',
    'a,b',
  ],
  tickets: ['one', 'separate', 'two'],
  kind: ['live', 'replayed', 'real'],
  outcome: ['disrupted', 'late', 'early'],
  horizon: ['7', '90', '8', 'seven'],
  provider: ['bts', 'hkia', 'BTS'],
  by: ['airline', 'provider', 'month'],
  format: ['json', 'xml'],
  flight: ['AA1', 'aa 0001', 'AA2', 'AA', 'AA12345'],
  inbound_delay: ['45', '0', '1440', '1441', '-1'],
  inbound_delays: ['45', ',30', '1441', '-1', 'x'],
  mct: ['60', '0', '600', '601', 'x'],
  months: ['12', '1', '120', '0', '121', '1.5'],
  limit: ['10', '1', '50', '0', '51', '1001', 'all'],
  cursor: ['1773151200000-watch_5f0c1d2e3a4b5c6d', 'watch_1', ''],
  monthly_limit: ['5000', '1', '10000000', '0', '10000001', '1.5', 'many'],
};

const document = openApiDocument({ isExplainEnabled: true });
const backend = new OpenAPIBackend({
  definition: document as unknown as BackendDocument,
  // The linters check the document itself.
  quick: true,
  ajvOpts: { strict: false },
  customizeAjv: (ajv) => addFormats.default(ajv),
});
await backend.init();

type Described = Record<string, { get?: { parameters: Named[] } }>;

/** The GET endpoints without parameters in their paths. */
const ENDPOINTS = Object.entries(document['paths'] as Described).flatMap(([path, { get }]) =>
  get === undefined || path.includes('{') ? [] : [{ path, parameters: get.parameters }],
);

function requestOf(random: Random): string {
  const one = <T>(list: readonly T[]) => list[random.below(list.length)] as T;
  const { path, parameters } = one(ENDPOINTS);
  const params = new URLSearchParams();
  for (const one of parameters) {
    if (random.next() >= (isNeeded(one) ? 0.97 : 0.3)) continue;
    const value = valueOf(one.name, random);
    // An empty parameter counts as absent. The document allows an absent parameter only if it is optional.
    if (value !== '' || one.required) params.set(one.name, value);
  }
  if (random.next() < 0.97) params.set('api_key', SOME_KEY);
  return `${path}?${params}`;
}

type Named = {
  name: string;
  required: boolean;
  'x-required-unless'?: string;
  example?: unknown;
  schema?: { type?: string; minimum?: number; maximum?: number };
};

/** Prefers the first value, so that some requests with many parameters are valid. */
function valueOf(name: string, random: Random): string {
  const values = VALUES[name]!;
  return values[random.next() < 0.7 ? 0 : random.below(values.length)]!;
}

/** Validates request and response against the document, as a proxy would. */
function problemsOf(url: string, { status, headers, body }: Answer): string[] {
  const [path = '', query = ''] = url.split('?');
  const params = new URLSearchParams(query);
  // The key belongs to the security scheme, not to the parameters.
  params.delete('api_key');
  const request = { method: 'get', path, query: String(params), headers: {} };
  const operation = backend.router.matchOperation(request)!;
  const isAllowed = backend.validateRequest(request, operation).valid;
  const problems = (backend.validateResponse(body, operation, status).errors ?? []).map(
    ({ instancePath, message }) => `${status}: ${instancePath} ${message}`,
  );
  const headerCheck = backend.validateResponseHeaders(headers, operation, { statusCode: status });
  problems.push(
    ...(headerCheck.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
  );
  if (status < 300 && !isAllowed) {
    problems.push(`${status} for a request that the document does not allow`);
  }
  return problems;
}

test(`an independent validator accepts ${REQUESTS} varied requests and their responses`, async (t) => {
  const random = randomFrom('contract');
  const over = fakeKeys({ verdict: 'over', monthCount: 100 });
  const leg = { origin: 'JFK', dest: 'LAX', carrier: 'AA', depTime: '08:15', flightCount: 14 };
  const find = (airline: string, number: number) =>
    airline === 'AA' && number === 1 ? { month: '2025-02', legs: [leg] } : undefined;
  const store = { ...aStore(), flightNumbers: { find, onRoute: () => [], newestMonth: '2025-02' } };
  const stores = { current: () => store };
  const [call, callOver] = [anApi({ stores }), anApi({ stores, keys: over })];
  const statuses = new Map<number, number>();
  for (let requestCount = 0; requestCount < REQUESTS; requestCount += 1) {
    const url = requestOf(random);
    const answer = await (random.next() < 0.1 ? callOver : call)(url);
    t.deepEqual(problemsOf(url, answer), [], url);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  t.true((statuses.get(200) ?? 0) > REQUESTS / 4);
  for (const status of [400, 401, 403, 404, 429]) {
    t.true((statuses.get(status) ?? 0) > 5, `${status}`);
  }
});

test('a number is accepted from the documented minimum to the maximum, and refused beyond', async (t) => {
  const call = anApi({ keys: fakeKeys({ isAdmin: true }) });
  let checkCount = 0;
  for (const { path, parameters } of ENDPOINTS) {
    for (const { name, schema } of parameters.filter((one) => one.schema?.type === 'integer')) {
      const { minimum = NaN, maximum = NaN } = schema ?? {};
      const params = new URLSearchParams({ api_key: SOME_KEY });
      for (const one of parameters.filter(isNeeded)) {
        params.set(one.name, String(one.example));
      }
      for (const [value, isAccepted] of [
        [minimum - 1, false],
        [minimum, true],
        [maximum, true],
        [maximum + 1, false],
      ] as const) {
        params.set(name, String(value));
        const { status, body } = await call(`${path}?${params}`);
        const isRefused = status === 400 && (body as { param?: string }).param === name;
        t.is(isRefused, !isAccepted, `${path} ${name}=${value}: ${status}`);
        checkCount += 1;
      }
    }
  }
  t.is(checkCount, 4 * 8);
});

test('the validator rejects an undocumented response', (t) => {
  const url = `/api/airlines?origin=JFK&dest=LAX&api_key=${SOME_KEY}`;
  const answer = { status: 200, headers: {}, body: { origin: 'JFK', dest: 7, airlines: [] } };
  t.deepEqual(problemsOf(url, answer), ['200: /dest must be string']);
  const wrong = url.replace('JFK', 'KJFK');
  const good = { ...answer, body: { origin: 'JFK', dest: 'LAX', airlines: [] } };
  t.deepEqual(problemsOf(wrong, good), ['200 for a request that the document does not allow']);
});
