import test from 'ava';
import { ENDPOINTS } from '../../../api/openapi/endpoints.ts';
import { ALL_PARAMS } from '../../../api/schemas/unknown-params.ts';
import { anApi, fakeKeys, scoreUrl, SOME_KEY } from '../helpers/app.ts';

const URLS = {
  '/api/score': scoreUrl(),
  '/api/score/batch': `/api/score/batch?flights=JFK-LAX-AA-2026-03-20&api_key=${SOME_KEY}`,
  '/api/calendar': `/api/calendar?origin=JFK&dest=LAX&airline=AA&month=2026-04&api_key=${SOME_KEY}`,
  '/api/airlines': `/api/airlines?origin=JFK&dest=LAX&api_key=${SOME_KEY}`,
  '/api/news': `/api/news?origin=JFK&dest=LAX&api_key=${SOME_KEY}`,
  '/api/explain': scoreUrl().replace('/api/score', '/api/explain'),
  '/api/keys/validate': `/api/keys/validate?api_key=${SOME_KEY}`,
  '/api/keys/usage': `/api/keys/usage?api_key=${SOME_KEY}`,
  '/api/keys/create': `/api/keys/create?name=A&email=a%40b.example&api_key=${SOME_KEY}`,
  '/api/health': '/api/health?',
};

for (const [path, url] of Object.entries(URLS)) {
  test(`${path} lists unknown parameters in X-Ignored-Parameters`, async (t) => {
    const call = anApi({ keys: fakeKeys({ isAdmin: true }) });
    const { status, headers } = await call(`${url}&as_of=2020-01-01&colour=blue&colour=red`);
    t.is(status, 200);
    t.is(headers['x-ignored-parameters'], 'as_of, colour');
    t.is(
      (await call(path === '/api/health' ? path : url)).headers['x-ignored-parameters'],
      undefined,
    );
  });
}

for (const [wrong, right, url] of [
  ['orgin', 'origin', scoreUrl()],
  ['dep_tme', 'dep_time', scoreUrl()],
  ['Date', 'date', scoreUrl()],
  ['dep-time', 'dep_time', scoreUrl()],
  ['departure_time', 'dep_time', scoreUrl()],
  ['destination', 'dest', scoreUrl({ dest: undefined })],
  ['flight', 'flights', URLS['/api/score/batch']],
  ['inbound_delay', 'inbound_delays', URLS['/api/score/batch']],
  ['flight_number', 'flight', scoreUrl()],
  ['flights', 'flight', scoreUrl()],
  ['moth', 'month', URLS['/api/calendar']],
  ['months', 'month', URLS['/api/keys/usage']],
  ['inclde', 'include', URLS['/api/airlines']],
  ['refrsh', 'refresh', URLS['/api/news']],
  ['from', 'origin', URLS['/api/explain']],
  ['yeer', 'year', URLS['/api/keys/usage']],
  ['monthly_limits', 'monthly_limit', URLS['/api/keys/create']],
] as const) {
  test(`${wrong} for ${right} is refused with a suggestion, and the call is not counted`, async (t) => {
    const keys = fakeKeys({ isAdmin: true });
    const { status, body } = await anApi({ keys })(`${url}&${wrong}=18:30`);
    t.is(status, 400);
    t.deepEqual(body, {
      error: 'invalid_parameter',
      message: `${wrong} is not a parameter of this endpoint. Did you mean ${right}?`,
      param: wrong,
    });
    t.is(keys.counted, 0);
  });
}

test('a name within two edits of a parameter is refused, a name three edits away is ignored', async (t) => {
  const call = anApi();
  t.is((await call(`${scoreUrl()}&dep_xxme=1`)).status, 400);
  t.is((await call(`${scoreUrl()}&dep_xxxe=1`)).headers['x-ignored-parameters'], 'dep_xxxe');
});

test('the list of all parameters equals the parameters of the endpoints', (t) => {
  const names = ENDPOINTS.flatMap(({ params }) => Object.keys(params?.shape ?? {}));
  t.deepEqual(ALL_PARAMS.toSorted(), [...new Set([...names, 'api_key'])].toSorted());
});

test('a parameter of another endpoint is unknown here', async (t) => {
  const { status, headers } = await anApi()(`${URLS['/api/news']}&dep_time=10:00`);
  t.is(status, 200);
  t.is(headers['x-ignored-parameters'], 'dep_time');
  // `date` is two edits from `name`.
  const created = await anApi({ keys: fakeKeys({ isAdmin: true }) })(
    `${URLS['/api/keys/create']}&date=2026-03-20`,
  );
  t.is(created.headers['x-ignored-parameters'], 'date');
});

test('the header is encoded, shortened, and contains no key', async (t) => {
  const call = anApi();
  const header = async (names: string[]) => {
    const query = names.map((name) => `&${encodeURIComponent(name)}=1`).join('');
    return (await call(scoreUrl() + query)).headers['x-ignored-parameters'];
  };
  t.is(
    await header(['a\r\nSet-Cookie: b=1', 'ＪＦＫ ＬＡＸ']),
    'a%0D%0ASet-Cookie%3A%20b%3D1, %EF%BC%AA%EF%BC%A6%EF%BC%AB%20%EF%BC%AC%EF%BC%A1%EF%BC%B8',
  );
  t.is(await header(['x'.repeat(300)]), `${'x'.repeat(40)}...`);
  t.false((await header([SOME_KEY]))?.includes(SOME_KEY.slice(16)));
  const many = Array.from({ length: 25 }, (_, at) => `unknown${at}`);
  t.regex((await header(many)) ?? '', /^unknown0, .*unknown19, \.\.\.$/);
});
