import test from 'ava';
import { REFUSALS } from '../../../api/openapi/refusals.ts';
import { EXAMPLES } from '../../../api/openapi/examples.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { RedisAwayError } from '../../../warehouse/errors.ts';
import { aStore } from '../../helpers/store.ts';
import { OURS } from '../../models/helpers/model.ts';
import { anApi, fakeKeys, scoreUrl, SOME_KEY } from '../helpers/app.ts';
import { DOCUMENT } from '../helpers/documented.ts';
import { aModel, shelfWith } from '../helpers/model.ts';

test('the example of every endpoint and of every parameter is answered as the document says', async (t) => {
  const { model } = aModel();
  const { contract } = OURS;
  const file = { file: 'model.onnx', version: '0123456789ab', bytes: 1, sha256: '01', contract };
  const store = aStore({ manifest: { model: file } });
  const call = anApi({
    keys: fakeKeys({ isAdmin: true }),
    models: shelfWith(model),
    stores: { current: () => store },
  });
  let count = 0;
  for (const [path, { get }] of Object.entries(DOCUMENT.paths)) {
    const required = get.parameters.filter((one) => one.required);
    const optional = get.parameters.filter((one) => !one.required);
    for (const added of [[], ...optional.map((one) => [one]), optional]) {
      const given = new URLSearchParams({ api_key: SOME_KEY });
      for (const { name, example } of [...required, ...added]) given.set(name, String(example));
      const { status } = await call(`${path}?${given}`);
      t.is(status, 200, `${path} with ${added.map(({ name }) => name).join()}`);
      count += 1;
    }
  }
  t.true(count > 20);
});

const broken = () => {
  throw new Error('broken');
};

test('the example of every refusal is what a caller gets', async (t) => {
  const refused: [status: number, url: string, changes: Partial<ApiDeps>, method?: string][] = [
    [400, scoreUrl({ date: 'tomorrow' }), {}],
    [401, scoreUrl(), { keys: { ...fakeKeys(), admit: async () => ({ verdict: 'invalid' }) } }],
    [403, `/api/keys/create?name=a&email=a@b.example&api_key=${SOME_KEY}`, {}],
    [404, scoreUrl({ origin: 'ZZZ' }), {}],
    [405, scoreUrl(), {}, 'POST'],
    [429, scoreUrl(), { keys: fakeKeys({ verdict: 'over', monthCount: 100 }) }],
    [500, scoreUrl(), { assess: broken }],
    [501, scoreUrl().replace('score', 'explain'), { explains: false }],
    [503, scoreUrl(), { keys: { ...fakeKeys(), admit: away } }],
  ];
  t.deepEqual(refused.map(String).length, Object.keys(REFUSALS).length);
  for (const [status, url, changes, method = 'GET'] of refused) {
    const { body, headers, ...answer } = await anApi(changes)(url, { method });
    t.is(answer.status, status, url);
    const { example, headers: named = [] } = REFUSALS[status]!;
    t.deepEqual({ ...body, ...(status === 500 && { request_id: example.request_id }) }, example);
    for (const name of named) t.truthy(headers[name.toLowerCase()], name);
  }
});

test('an airline that is nobody is refused as the example of a batch says', async (t) => {
  const [result] = EXAMPLES.batch.results;
  const url = `/api/score/batch?flights=${result?.flight}&api_key=${SOME_KEY}`;
  t.deepEqual((await anApi()(url)).body, EXAMPLES.batch);
});

async function away(): Promise<never> {
  throw new RedisAwayError('away');
}
