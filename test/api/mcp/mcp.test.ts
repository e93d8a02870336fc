import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import test, { type ExecutionContext } from 'ava';
import type { Call } from '../../../api/call.ts';
import { createMcpService } from '../../../api/mcp/server.ts';
import type { BatchBody } from '../../../api/schemas/batch.ts';
import type { ScoreBody } from '../../../api/schemas/score.ts';
import { ENDPOINTS } from '../../../api/openapi/endpoints.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { fakeKeys, scoreUrl, SOME_KEY, someDeps } from '../helpers/app.ts';
import { serveApi } from '../helpers/served.ts';

const FLIGHT = { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' };

/** Connects the official client to an API; without a key if `key` is empty. */
async function connect(t: ExecutionContext, changes: Partial<ApiDeps> = {}, key = SOME_KEY) {
  const url = await serveApi(t, changes);
  const client = new Client({ name: 'test', version: '1' });
  const headers: Record<string, string> = key === '' ? {} : { Authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers },
  });
  await client.connect(transport);
  t.teardown(() => client.close());
  const call = (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args });
  return { client, call, url };
}

type ToolResult = { content?: unknown; isError?: unknown; structuredContent?: unknown };

/** Returns the text of a tool's result. */
function textOf({ content }: ToolResult): string {
  return (content as [{ text: string }])[0].text;
}

/** Returns the body in the text of a tool's result. */
function bodyOf<Body>(result: ToolResult): Body {
  return JSON.parse(textOf(result)) as Body;
}

test('an agent finds the tools with their parameters', async (t) => {
  const { client } = await connect(t);
  const { tools } = await client.listTools();
  const score = tools.find(({ name }) => name === 'score_flight');
  // A flight number replaces origin, dest and airline.
  t.deepEqual(score?.inputSchema.required, ['date']);
  t.like(score?.inputSchema.properties?.['origin'], { type: 'string' });
  t.true(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  t.regex(client.getInstructions() ?? '', /best flight of a day/);
});

test('a tool gives the answer of its endpoint, byte for byte', async (t) => {
  const { call, url } = await connect(t);
  const response = await fetch(new URL(scoreUrl(), url));
  const result = await call('score_flight', FLIGHT);
  t.is(textOf(result), await response.text());
  t.deepEqual(result.structuredContent, bodyOf<object>(result));
  t.is(result._meta?.['headwind/x-ratelimit-limit'], response.headers.get('X-RateLimit-Limit'));
});

test('an agent finds the best flight of a day', async (t) => {
  const { call } = await connect(t);
  const { airlines } = bodyOf<{ airlines: { airline: string }[] }>(
    await call('list_airlines_of_route', { origin: 'JFK', dest: 'LAX' }),
  );
  const flights = airlines.flatMap(({ airline }) =>
    ['07:00', '12:00', '18:00'].map((time) => `JFK-LAX-${airline}-${FLIGHT.date}T${time}`),
  );
  const { results } = bodyOf<BatchBody>(await call('compare_flights', { flights }));
  t.is(results.length, flights.length);
  const scores = results.map((one) => ('result' in one ? one.result.score : Number.NaN));
  const best = flights[scores.indexOf(Math.min(...scores))] ?? '';
  const [, , airline, ...date] = best.split('-');
  const dep_time = date.join('-').slice(11);
  const again = await call('score_flight', { ...FLIGHT, airline, dep_time });
  t.is(bodyOf<ScoreBody>(again).score, Math.min(...scores));
});

test('a call of a tool costs what the call of its endpoint costs', async (t) => {
  const costs: number[] = [];
  const keys = fakeKeys();
  const { call } = await connect(t, {
    keys: {
      ...keys,
      admit: (key, cost, ...rest) => {
        costs.push(cost);
        return keys.admit(key, cost, ...rest);
      },
    },
  });
  await call('score_flight', FLIGHT);
  await call('compare_flights', { flights: ['JFK-LAX-AA-2026-03-20', 'JFK-LAX-DL-2026-03-20'] });
  t.deepEqual(costs, [1, 2]);
});

test('errors are those of the API, and bad arguments name the parameter', async (t) => {
  const { call, url } = await connect(t);
  const response = await fetch(new URL(scoreUrl({ origin: 'QQQ' }), url));
  const unknown = await call('score_flight', { ...FLIGHT, origin: 'QQQ' });
  t.true(unknown.isError);
  t.deepEqual(bodyOf<object>(unknown), (await response.json()) as object);
  const missing = await call('score_flight', { origin: 'JFK', date: FLIGHT.date });
  t.true(missing.isError);
  t.regex(JSON.stringify(missing.content), /dest/);
});

test('without a key the tools are listed, and a call says where to put the key', async (t) => {
  const { client, call } = await connect(t, {}, '');
  t.true((await client.listTools()).tools.length >= 5);
  const refused = await call('score_flight', FLIGHT);
  t.true(refused.isError);
  t.like(bodyOf<object>(refused), { error: 'missing_api_key' });
  t.regex(bodyOf<{ message: string }>(refused).message, /Authorization: Bearer/);
});

test('other methods, long bodies and bodies that are not a message are refused', async (t) => {
  const url = new URL('/mcp', await serveApi(t));
  t.is((await fetch(url)).status, 405);
  const post = (body: string) =>
    fetch(url, {
      ...{ method: 'POST', body },
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
    });
  t.is((await post('hello')).status, 400);
  // The package never answers a message that the same list cancels.
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'score_flight' } };
  const cancel = {
    ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
    params: { requestId: 1 },
  };
  t.is((await post(JSON.stringify([call, cancel]))).status, 400);
  t.is((await post(JSON.stringify({ text: 'x'.repeat(70_000) }))).status, 400);
});

test('an agent of the protocol of 2025 is served too', async (t) => {
  const url = new URL('/mcp', await serveApi(t));
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: {
        ...{ protocolVersion: '2025-06-18', capabilities: {} },
        clientInfo: { name: 'old', version: '1' },
      },
    }),
  });
  t.is(response.status, 200);
  t.regex(await response.text(), /"protocolVersion":"2025-06-18"/);
});

test('long answers in JSON are compressed, and streams of events are not', async (t) => {
  const url = new URL('/mcp', await serveApi(t));
  const flights = Array.from({ length: 50 }, (_, at) => `JFK-LAX-AA-2026-04-${10 + (at % 20)}`);
  for (const [mode, type, coding] of [
    [{ pin: '2026-07-28' }, 'application/json', 'br'],
    ['legacy', 'text/event-stream', null],
  ] as const) {
    const answers: Response[] = [];
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { Authorization: `Bearer ${SOME_KEY}`, 'Accept-Encoding': 'br' } },
      fetch: async (...request) => {
        const answer = await fetch(...request);
        answers.push(answer);
        return answer;
      },
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    t.teardown(() => client.close());
    const result = await client.callTool({ name: 'compare_flights', arguments: { flights } });
    t.is(bodyOf<BatchBody>(result).results.length, 50);
    const { headers } = answers.at(-1)!;
    t.is(headers.get('Content-Type'), type);
    t.is(headers.get('Content-Encoding'), coding);
  }
});

test('the guide for language models names every endpoint', async (t) => {
  const url = await serveApi(t);
  const text = await (await fetch(new URL('/llms.txt', url))).text();
  for (const { path } of ENDPOINTS) t.true(text.includes(`\`${path}\``), path);
});

test('an endpoint sees that the agent has closed the connection', async (t) => {
  const closed = new AbortController();
  const seen: (boolean | undefined)[] = [];
  const answer = async ({ res }: Call) => {
    seen.push(res.destroyed);
    closed.abort();
    seen.push(res.destroyed);
    return '{}';
  };
  const answerRequest = createMcpService(new Map([['/api/score', answer]]), someDeps());
  const params = { name: 'score_flight', arguments: FLIGHT };
  const headers = new Headers({
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${SOME_KEY}`,
    'content-type': 'application/json',
  });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const state = { requestId: 'a-request' };
  await answerRequest({ headers, message, state, signal: closed.signal }).catch(() => undefined);
  t.deepEqual(seen, [false, true]);
});
