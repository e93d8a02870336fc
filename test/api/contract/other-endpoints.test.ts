import test from 'ava';
import type { FindNews } from '../../../api/live/news-types.ts';
import type { NewsItem } from '../../../api/schemas/news.ts';
import { aModel, modelsWith } from '../helpers/model.ts';
import { startClient } from '../helpers/served.ts';
import { fakeKeys, NOW } from '../helpers/app.ts';
import {
  flag,
  instant,
  integer,
  label,
  listOf,
  oneOf,
  orNull,
  findProblems,
  text,
  numberBetween,
  type Table,
} from '../helpers/specified.ts';

const ROUTE = { origin: 'JFK', dest: 'LAX' };
const FLIGHT = { ...ROUTE, airline: 'AA', date: '2026-03-20' };

/** Section 4.2 and table 2.8 of the specification. */
const airlines: Table = {
  origin: text,
  dest: text,
  airlines: listOf({
    airline: text,
    airline_name: text,
    score: integer(0, 100),
    label,
    delay_rate: numberBetween(0, 1),
    total_flights: integer(1),
    confidence: numberBetween(0, 1),
  }),
};

/** Section 4.3 and tables 2.6 and 2.7 of the specification. */
const news: Table = {
  origin: text,
  dest: text,
  news: listOf({
    title: text,
    summary: text,
    source: text,
    url: (value) => URL.canParse(String(value)),
    published_at: instant,
    impact: oneOf('low', 'medium', 'high'),
    event_type: oneOf('strike', 'weather', 'atc', 'security', 'technical', 'general'),
    severity: numberBetween(0, 1),
  }),
  meta: { count: integer(0), cached: flag, fetched_at: orNull(instant), cache_ttl_hours: oneOf(6) },
};

/** Section 4.6 of the specification. */
const createdKey: Table = {
  api_key: (value) => /^hw_live_[0-9A-Za-z]{32}$/.test(String(value)),
  prefix: (value) => String(value).length === 14,
  monthly_limit: integer(1),
  message: text,
};

const monthOrNull = (value: unknown) =>
  value === null || (typeof value === 'string' && /^\d{4}-\d{2}$/.test(value));

/** Section 4.7 of the specification. */
const health: Table = {
  status: oneOf('ok', 'degraded', 'error'),
  time: instant,
  components: {
    ...{ api: text, database: text, keys: text, ml_model: text },
    ...{ weather: text, news: text, history: text, operations: text },
  },
  history: { flights_until: monthOrNull, levels_until: monthOrNull },
  weather: { fetched_at: orNull(instant) },
  news: { fetched_at: orNull(instant) },
};

/** Section 4.8 of the specification. */
const explained: Table = {
  origin: text,
  destination: text,
  airline: text,
  date: text,
  score: integer(0, 100),
  label,
  explanation: text,
};

const holidayDay: Table = { name: text, odds: numberBetween(0, 20) };

/** Our own endpoints. */
const calendar: Table = {
  origin: text,
  dest: text,
  airline: text,
  month: text,
  data_source: oneOf('exact', 'route_any_airline', 'no_data'),
  confidence_pct: integer(0, 100),
  days: listOf({
    date: text,
    weekday: integer(1, 7),
    score: orNull(integer(0, 100)),
    label: orNull(label),
    holiday: orNull((day) => findProblems(day, holidayDay).length === 0),
    top_factor: orNull(text),
  }),
};

test('the airlines response follows the tables, lowest score first', async (t) => {
  const body = await (await startClient(t)).airlines(ROUTE);
  t.deepEqual(findProblems(body, airlines), []);
  const scores = body.airlines.map(({ score }) => score);
  t.is(scores.length, 3);
  t.deepEqual(
    scores,
    scores.toSorted((a, b) => a - b),
  );
});

test('the news response follows the tables, with and without items, cached and fresh', async (t) => {
  const item: NewsItem = {
    title: 'Snow over New York',
    summary: 'Snow will delay departures through the evening.',
    source: 'Example Times',
    url: 'https://news.example/snow',
    published_at: '2026-03-10T12:00:00.000Z',
    impact: 'medium',
    event_type: 'weather',
    severity: 0.5,
  };
  const find: FindNews = (_route, isFresh) =>
    Promise.resolve({
      items: isFresh ? [item] : [],
      fetchedAt: NOW,
      isCached: !isFresh,
      isFailed: false,
    });
  const client = await startClient(t, { news: find });
  for (const refresh of [false, true]) {
    const body = await client.news({ ...ROUTE, refresh });
    t.deepEqual(findProblems(body, news), []);
    t.deepEqual(body.meta, {
      count: body.news.length,
      cached: !refresh,
      fetched_at: NOW.toISOString(),
      cache_ttl_hours: 6,
    });
    t.is(body.news.length, refresh ? 1 : 0);
  }
});

test('a created key follows the table, with the requested limit or 100', async (t) => {
  const keys = {
    ...fakeKeys({ isAdmin: true }),
    create: (key: { monthlyLimit: number }) =>
      Promise.resolve({
        apiKey: 'hw_live_1vK7qZ0TtGm3bXcR9yLwPa5dNe2QZ4sH',
        prefix: 'hw_live_1vK7qZ',
        monthlyLimit: key.monthlyLimit,
      }),
  };
  const client = await startClient(t, { keys });
  const body = await client.keysCreate({ name: 'A', email: 'a@example.com' });
  t.deepEqual(findProblems(body, createdKey), []);
  t.is(body.monthly_limit, 100);
  const more = await client.keysCreate({ name: 'A', email: 'a@example.com', monthly_limit: 7 });
  t.is(more.monthly_limit, 7);
});

test('health follows the table in each state, and needs no key', async (t) => {
  for (const [changes, status] of [
    [{ models: modelsWith(aModel(0.4).model) }, 'ok'],
    [{}, 'degraded'],
    [{ stores: { current: () => undefined } }, 'error'],
  ] as const) {
    const body = await (await startClient(t, changes, { apiKey: '' })).health();
    t.deepEqual(findProblems(body, health), []);
    t.is(body.status, status);
    t.is(
      Object.values(body.components).every((part) => part === 'ok'),
      status === 'ok',
    );
  }
});

test('an explanation follows the plan of the specification', async (t) => {
  const body = await (await startClient(t)).explain(FLIGHT);
  t.deepEqual(findProblems(body, explained), []);
  t.deepEqual([body.origin, body.destination, body.airline, body.date], Object.values(FLIGHT));
});

test('a calendar has every day of its month in order, scored or null', async (t) => {
  const client = await startClient(t);
  for (const month of ['2026-04', '2027-03']) {
    const body = await client.calendar({ ...ROUTE, airline: 'AA', month });
    t.deepEqual(findProblems(body, calendar), []);
    for (const [at, day] of body.days.entries()) {
      t.is(day.date, `${month}-${String(at + 1).padStart(2, '0')}`);
      t.is(day.score === null, day.label === null);
      if (day.score === null) t.is(day.top_factor, null);
    }
  }
});

test('a batch has the response or the error of each flight', async (t) => {
  const client = await startClient(t);
  const late = { ...FLIGHT, dep_time: '17:30' };
  const flights = ['AA-2026-03-20', '0X-2026-03-20', 'AA-2026-03-20T17:30'];
  const body = await client.scoreBatch({ flights: flights.map((flight) => `JFK-LAX-${flight}`) });
  t.is(body.count, 3);
  const [first, second, third] = body.results;
  t.deepEqual(first, { flight: 'JFK-LAX-AA-2026-03-20', result: await client.score(FLIGHT) });
  t.like(second, { flight: 'JFK-LAX-0X-2026-03-20', error: { error: 'unknown_airline' } });
  t.deepEqual(third, { flight: 'JFK-LAX-AA-2026-03-20T17:30', result: await client.score(late) });
});
