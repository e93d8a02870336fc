import test from 'ava';
import { aStore } from '../../helpers/store.ts';
import { anApi, fakeKeys, scoreUrl, SOME_KEY } from '../helpers/app.ts';

type Refusal = {
  title: string;
  url: string;
  status: number;
  body: { error: string; message: string; param: string };
};

function invalid(param: string, problem: string) {
  const body = { error: 'invalid_parameter', message: `${param} ${problem}.`, param };
  return { status: 400, body };
}

function missing(param: string) {
  const body = { error: 'missing_parameter', message: `${param} is missing.`, param };
  return { status: 400, body };
}

const AIRPORT = 'must be an IATA airport code of three letters';
const DATE = 'must be a calendar date, YYYY-MM-DD';
const RANGE = 'must be from 2026-03-10 to 2027-03-10';

const refusals: Refusal[] = [
  ...['origin', 'dest', 'airline', 'date'].flatMap((param) => [
    {
      title: `a missing ${param}`,
      url: scoreUrl({ [param]: undefined }),
      ...missing(param),
    },
    { title: `an empty ${param}`, url: scoreUrl({ [param]: '' }), ...missing(param) },
    {
      title: `a repeated ${param}`,
      url: `${scoreUrl()}&${param}=JFK`,
      ...invalid(param, 'is present more than once'),
    },
  ]),
  {
    title: 'an origin of four letters',
    url: scoreUrl({ origin: 'KJFK' }),
    ...invalid('origin', AIRPORT),
  },
  {
    title: 'a dotless i, which becomes I in upper case',
    url: scoreUrl({ dest: 'ıad' }),
    ...invalid('dest', AIRPORT),
  },
  {
    title: 'an airline of three letters',
    url: scoreUrl({ airline: 'AAL' }),
    ...invalid('airline', 'must be an IATA airline code of two characters'),
  },
  {
    title: 'the same airport at both ends',
    url: scoreUrl({ dest: 'jfk' }),
    ...invalid('dest', 'must differ from origin'),
  },
  {
    title: 'news that is neither true nor false',
    url: scoreUrl({ news: 'yes' }),
    ...invalid('news', 'must be true or false'),
  },
  ...['2026-02-29', '2026-3-20', '20260320', '2026-04-31', 'tomorrow', '2026-03-20T10:00'].map(
    (date) => ({ title: `the date ${date}`, url: scoreUrl({ date }), ...invalid('date', DATE) }),
  ),
  {
    title: 'yesterday at the origin',
    url: scoreUrl({ date: '2026-03-09' }),
    status: 400,
    body: {
      error: 'invalid_parameter',
      message: `date ${RANGE}. Past flights are not scored. /record compares past forecasts with the actual flights; the command "make backtest" forecasts past flights from the data before them.`,
      param: 'date',
    },
  },
  {
    title: 'the 366th day from today',
    url: scoreUrl({ date: '2027-03-11' }),
    ...invalid('date', RANGE),
  },
  {
    title: 'an unknown origin',
    url: scoreUrl({ origin: 'zzz' }),
    status: 404,
    body: { error: 'unknown_airport', message: 'No airport has the code ZZZ.', param: 'origin' },
  },
  {
    title: 'an unknown dest',
    url: scoreUrl({ dest: 'QQQ' }),
    status: 404,
    body: { error: 'unknown_airport', message: 'No airport has the code QQQ.', param: 'dest' },
  },
  {
    title: 'an unknown airline',
    url: scoreUrl({ airline: '0X' }),
    status: 404,
    body: {
      error: 'unknown_airline',
      message: 'No operating airline has the code 0X.',
      param: 'airline',
    },
  },
];

for (const { title, url, status, body } of refusals) {
  test(`${title} is refused with ${status} ${body.error} and not counted`, async (t) => {
    const keys = fakeKeys();
    const answer = await anApi({ keys })(url);
    t.deepEqual({ status: answer.status, body: answer.body }, { status, body });
    t.is(answer.headers['content-type'], 'application/json; charset=utf-8');
    t.is(keys.counted, 0);
  });
}

test('dates are accepted from today to the 365th day after today, both inclusive', async (t) => {
  const call = anApi();
  for (const date of ['2026-03-10', '2027-03-10']) {
    t.is((await call(scoreUrl({ date }))).status, 200, date);
  }
});

test('today is the local day at the origin, which may be ahead of or behind UTC', async (t) => {
  const lateInUtc = anApi({ now: () => new Date('2026-03-10T23:30:00Z') });
  const earlyInUtc = anApi({ now: () => new Date('2026-03-11T02:00:00Z') });
  // 11 March in Auckland, 10 March in New York.
  t.is((await lateInUtc(scoreUrl({ origin: 'AKL', date: '2027-03-11' }))).status, 200);
  t.is((await lateInUtc(scoreUrl({ date: '2027-03-11' }))).status, 400);
  t.is((await earlyInUtc(scoreUrl({ date: '2027-03-11' }))).status, 400);
  t.is((await earlyInUtc(scoreUrl({ date: '2027-03-10' }))).status, 200);
  // At 02:00 UTC on 11 March, 10 March is today in New York and over in Auckland.
  t.is((await earlyInUtc(scoreUrl({ date: '2026-03-10' }))).status, 200);
  t.is((await earlyInUtc(scoreUrl({ origin: 'AKL', date: '2026-03-10' }))).status, 400);
});

test('a store without history accepts dates from today on', async (t) => {
  const store = aStore({ manifest: { months: [] }, routes: {}, carriers: {} });
  const call = anApi({ stores: { current: () => store } });
  t.is((await call(scoreUrl({ date: '2026-03-10' }))).status, 200);
  t.is((await call(scoreUrl({ date: '2026-03-09' }))).status, 400);
});

test('without a store a valid flight gets 503 and is not counted', async (t) => {
  const keys = fakeKeys();
  const { status, body } = await anApi({ keys, stores: { current: () => undefined } })(scoreUrl());
  t.is(status, 503);
  t.is(body['error'], 'service_unavailable');
  t.is(keys.counted, 0);
});

test('an internal error gets 500 with the request id and no detail, and is not counted', async (t) => {
  const keys = fakeKeys();
  const assess = () => {
    throw new Error('secret detail');
  };
  const { status, headers, body } = await anApi({ keys, assess })(scoreUrl());
  t.is(status, 500);
  t.deepEqual(body, {
    error: 'internal_error',
    message:
      'The service failed to answer this request. Quote the request id if you report the error.',
    request_id: headers['x-request-id'],
  });
  t.is(keys.counted, 0);
  t.is(headers['x-ratelimit-remaining'], '100');
});

test('a missing key gets 401 missing_api_key', async (t) => {
  const missingKey = {
    error: 'missing_api_key',
    message: 'Send your API key as the parameter api_key.',
  };
  const call = anApi();
  for (const api_key of [undefined, '']) {
    t.like(await call(scoreUrl({ api_key })), { status: 401, body: missingKey });
  }
});

test('two keys get 400, because it is unclear which to use', async (t) => {
  t.like(await anApi()(`${scoreUrl()}&api_key=${SOME_KEY}`), {
    status: 400,
    body: { error: 'invalid_parameter', param: 'api_key' },
  });
});

test('a key in a header is refused with a message that names the header but not the key', async (t) => {
  for (const [name, value] of Object.entries({
    Authorization: `Bearer ${SOME_KEY}`,
    'X-API-Key': SOME_KEY,
  })) {
    const url = scoreUrl({ api_key: undefined });
    const { status, body } = await anApi()(url, { headers: { [name]: value } });
    t.is(status, 401);
    t.deepEqual(body, {
      error: 'missing_api_key',
      message: `Keys in the header ${name} are not accepted. Send your API key as the parameter api_key.`,
    });
  }
});
