import test from 'ava';
import { isNeeded } from '../../../api/openapi/json-schema.ts';
import { REFUSALS } from '../../../api/openapi/refusals.ts';
import { EXAMPLES } from '../../../api/openapi/examples.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { RedisUnavailableError } from '../../../warehouse/errors.ts';
import { aStore } from '../../helpers/store.ts';
import { CURRENT_CONTRACT } from '../../models/helpers/model.ts';
import { anApi, fakeKeys, scoreUrl, SOME_KEY } from '../helpers/app.ts';
import { examplePath, OPERATIONS } from '../helpers/documented.ts';
import { aModel, modelsWith } from '../helpers/model.ts';

test('the examples of every endpoint and parameter get the documented response', async (t) => {
  const { model } = aModel();
  const { contract } = CURRENT_CONTRACT;
  const file = { file: 'model.onnx', version: '0123456789ab', bytes: 1, sha256: '01', contract };
  const store = aStore({ manifest: { model: file } });
  const call = anApi({
    keys: fakeKeys({ isAdmin: true }),
    models: modelsWith(model),
    stores: { current: () => store },
  });
  let count = 0;
  for (const operation of OPERATIONS) {
    const path = examplePath(operation);
    const method = operation.method.toUpperCase();
    const parameters = operation.parameters.filter((one) => one.in === 'query');
    const required = parameters.filter(isNeeded);
    // A flight number replaces other parameters.
    const optional = parameters.filter((one) => !isNeeded(one) && one.name !== 'flight');
    for (const added of [[], ...optional.map((one) => [one]), optional]) {
      const params = new URLSearchParams({ api_key: SOME_KEY });
      for (const { name, example } of [...required, ...added]) params.set(name, String(example));
      const { status } = await call(`${path}?${params}`, { method });
      t.is(status, 200, `${method} ${path} with ${added.map(({ name }) => name).join()}`);
      count += 1;
    }
  }
  t.true(count > 20);
});

const broken = () => {
  throw new Error('broken');
};

test('the example of every error equals the response that a caller gets', async (t) => {
  const refused: [status: number, url: string, changes: Partial<ApiDeps>, method?: string][] = [
    [400, scoreUrl({ date: 'tomorrow' }), {}],
    [401, scoreUrl(), { keys: { ...fakeKeys(), admit: async () => ({ verdict: 'invalid' }) } }],
    [403, `/api/keys/create?name=a&email=a@b.example&api_key=${SOME_KEY}`, {}],
    [404, scoreUrl({ origin: 'ZZZ' }), {}],
    [405, scoreUrl(), {}, 'POST'],
    [429, scoreUrl(), { keys: fakeKeys({ verdict: 'over', monthCount: 100 }) }],
    [500, scoreUrl(), { assess: broken }],
    [501, scoreUrl().replace('score', 'explain'), { isExplainEnabled: false }],
    [503, scoreUrl(), { keys: { ...fakeKeys(), admit: refuseAdmission } }],
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

test('the example of a batch shows what the flights of the example request get', async (t) => {
  const call = anApi();
  const batch = OPERATIONS.find(({ path }) => path === '/api/score/batch');
  const flights = batch?.parameters.find(({ name }) => name === 'flights')?.example;
  const { body } = await call(`/api/score/batch?flights=${String(flights)}&api_key=${SOME_KEY}`);
  t.deepEqual(body, EXAMPLES.batch);
  t.false(JSON.stringify(body).includes('"error"'));
});

test('a flight of a batch with an unknown airline has an error instead of a result', async (t) => {
  const flight = 'JFK-LAX-00-2026-03-20';
  const { body } = await anApi()(`/api/score/batch?flights=${flight}&api_key=${SOME_KEY}`);
  const message = 'No operating airline has the code 00.';
  const error = { error: 'unknown_airline', message, param: 'airline' };
  t.deepEqual(body, { count: 1, results: [{ flight, error }] });
});

async function refuseAdmission(): Promise<never> {
  throw new RedisUnavailableError('away');
}
