import test from 'ava';
import { calendarBody } from '../../../api/schemas/calendar.ts';
import { aBrandStore } from '../../helpers/brand-store.ts';
import { aStore, effectTable } from '../../helpers/store.ts';
import { anApi, fakeKeys, scoreUrl, SOME_KEY } from '../helpers/app.ts';

function calendarUrl(month: string, extraParams: Record<string, string> = {}): string {
  const params = {
    origin: 'jfk',
    dest: 'lax',
    airline: 'aa',
    month,
    api_key: SOME_KEY,
    ...extraParams,
  };
  return `/api/calendar?${new URLSearchParams(params)}`;
}

type Day = {
  date: string;
  weekday: number;
  score: number | null;
  label: string | null;
  holiday: { name: string; odds: number } | null;
  top_factor: string | null;
};

const daysOf = (body: Record<string, unknown>) => body['days'] as Day[];

test('every day of the month has the same score as in /api/score', async (t) => {
  const store = { ...aStore(), weekdayOdds: (weekday: number) => (weekday === 5 ? 1.5 : 1) };
  const call = anApi({ stores: { current: () => store } });
  const { status, headers, body } = await call(calendarUrl('2026-04'));
  t.is(status, 200);
  t.notThrows(() => calendarBody.parse(body));
  const { days, ...rest } = body;
  t.deepEqual(Object.keys(body).at(-1), 'days');
  t.deepEqual(rest, {
    origin: 'JFK',
    dest: 'LAX',
    airline: 'AA',
    month: '2026-04',
    data_source: 'exact',
    confidence_pct: 95,
  });
  t.is(daysOf({ days }).length, 30);
  for (const [at, date] of [
    [0, '2026-04-01'],
    [2, '2026-04-03'],
    [29, '2026-04-30'],
  ] as const) {
    const single = (await call(scoreUrl({ date, include: 'drivers' }))).body;
    t.like(daysOf({ days })[at], {
      date,
      score: single['score'] as number,
      label: single['label'] as string,
      top_factor: (single['drivers'] as { top: string | null }).top,
    });
  }
  // 3 April 2026 is a Friday.
  t.is(daysOf({ days })[2]!.weekday, 5);
  t.true(daysOf({ days })[2]!.score! > daysOf({ days })[3]!.score!);
  t.is(headers['x-store-version'], '20260101T000000Z-abc123');
});

test('each month has its number of days, also February', async (t) => {
  const call = anApi();
  for (const [month, days] of [
    ['2026-04', 30],
    ['2026-12', 31],
    ['2027-02', 28],
  ] as const) {
    const { body } = await call(calendarUrl(month));
    t.is(daysOf(body).length, days);
    t.is(daysOf(body).at(-1)?.date, `${month}-${days}`);
  }
});

test('days after the horizon are listed without a score', async (t) => {
  // 10 March 2026 + 365 days.
  const march = daysOf((await anApi()(calendarUrl('2027-03'))).body);
  t.is(march.length, 31);
  t.is(typeof march[9]!.score, 'number');
  t.deepEqual(march[10], {
    date: '2027-03-11',
    weekday: 4,
    score: null,
    label: null,
    holiday: null,
    top_factor: null,
  });
});

test('days before today are listed without a score', async (t) => {
  const march = daysOf((await anApi()(calendarUrl('2026-03'))).body);
  t.is(march[8]!.score, null);
  t.is(typeof march[9]!.score, 'number');
});

test('a month without a day that can be scored is refused and not counted', async (t) => {
  const keys = fakeKeys();
  const call = anApi({ keys });
  const past =
    ' Past flights are not scored. /record compares past forecasts with the actual flights; the command "make backtest" forecasts past flights from the data before them.';
  for (const [month, hint] of [
    ['2026-02', past],
    ['2027-04', ''],
    ['9999-12', ''],
  ] as const) {
    t.deepEqual((await call(calendarUrl(month))).body, {
      error: 'invalid_parameter',
      message: `month must be from 2026-03 to 2027-03.${hint}`,
      param: 'month',
    });
  }
  for (const month of ['2026-13', '2026-1', '2026', '2026-04-01']) {
    t.like(await call(calendarUrl(month)), { status: 400, body: { param: 'month' } });
  }
  t.is(keys.counted, 0);
  await call(calendarUrl('2026-04'));
  t.is(keys.counted, 1);
});

test('a departure time changes the score of every day', async (t) => {
  const store = {
    ...aStore(),
    effects: effectTable({ 'hour 17': 1 }),
  };
  const call = anApi({ stores: { current: () => store } });
  const scoreAt = async (dep_time: string) =>
    daysOf((await call(calendarUrl('2026-04', { dep_time }))).body)[0]!.score!;
  t.true((await scoreAt('17:00')) > (await scoreAt('05:00')));
});

test('the calendar of a route without flights has the tier no_data', async (t) => {
  const { body } = await anApi()(calendarUrl('2026-04', { dest: 'AKL' }));
  t.like(body, { data_source: 'no_data', confidence_pct: 0 });
});

test('missing and unknown parameters are refused as in /api/score', async (t) => {
  const call = anApi();
  t.like(await call(calendarUrl('')), {
    status: 400,
    body: { error: 'missing_parameter', param: 'month' },
  });
  t.like(await call(calendarUrl('2026-04', { airline: '0X' })), {
    status: 404,
    body: { error: 'unknown_airline', param: 'airline' },
  });
});

test('a day near a holiday has a name, an effect on its score, and the same effect in the explanation', async (t) => {
  const store = {
    ...aStore(),
    holidayDay: (_: string, date: string) =>
      date === '2026-11-29' ? { name: 'Thanksgiving Sunday', logOdds: Math.log(1.5) } : undefined,
  };
  const deps = {
    stores: { current: () => store },
    now: () => new Date('2026-11-01T12:00:00Z'),
    isExplainEnabled: true,
  };
  const call = anApi(deps);
  const days = daysOf((await call(calendarUrl('2026-11'))).body);
  t.deepEqual(days[28]?.holiday, { name: 'Thanksgiving Sunday', odds: 1.5 });
  t.is(days[27]?.holiday, null);
  t.true(days[28]!.score! > days[27]!.score!);
  const url = scoreUrl({ date: '2026-11-29', include: 'drivers' });
  const { drivers } = (await call(url)).body as { drivers: { holiday: unknown } };
  t.deepEqual(drivers.holiday, { name: 'Thanksgiving Sunday', odds: 1.5 });
  const explained = await call(scoreUrl({ date: '2026-11-29' }).replace('/score', '/explain'));
  t.regex(
    explained.body['explanation'] as string,
    /\(Thanksgiving Sunday\): the odds of a delay are 1\.50 times/,
  );
});

test('the calendar of a brand covers the flights that partners operate, as the score does', async (t) => {
  const call = anApi({ stores: { current: () => aBrandStore() } });
  const days = daysOf((await call(calendarUrl('2026-04'))).body);
  const day = days.find(({ date }) => date === '2026-04-15');
  const { body: score } = await call(scoreUrl({ date: '2026-04-15' }));
  const { body: operated } = await call(scoreUrl({ date: '2026-04-15', airline: 'YX' }));
  t.is(day?.score, score['score'] as number);
  t.not(score['score'], operated['score']);
  t.is(score['data_source'], 'exact');
});
