import test from 'ava';
import { createRouter } from '../../../api/app.ts';
import type { Call } from '../../../api/call.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { keyedAnswersOf } from '../../../api/middleware/fast-path.ts';
import { COSTLY_TURN_MS, keyedEndpoint } from '../../../api/middleware/keyed-endpoint.ts';
import type { ImportedModel } from '../../../api/scoring/imported-model.ts';
import { createPasses } from '../../../api/scoring/passes.ts';
import { FEATURES } from '../../../models/features.ts';
import { aStore } from '../../helpers/store.ts';
import { fakeKeys, NOW, SOME_KEY, someDeps } from '../helpers/app.ts';
import { aModel, modelsWith } from '../helpers/model.ts';

function aCall(query: Call['query'] = {}): Call {
  return {
    query: { api_key: SOME_KEY, ...query },
    get: () => '',
    state: { requestId: 'a-request' },
    set: () => undefined,
    res: {},
  };
}

/** Creates an endpoint whose answers have many scores. */
function aCostlyEndpoint(answer: (call: Call) => object, changes: Partial<ApiDeps> = {}) {
  const { keyedAnswer } = keyedEndpoint<object>(
    {
      isCostly: true,
      isCacheable: true,
      parse: () => ({}),
      cost: () => 1,
      storeOf: () => aStore(),
      answer: (_, call) => answer(call),
    },
    someDeps(changes),
  );
  return keyedAnswer;
}

/** Computes for as long as costly answers may take in one turn. */
function useUpTurn(): void {
  const startedAt = performance.now();
  while (performance.now() - startedAt < COSTLY_TURN_MS);
}

test('a costly answer that takes a whole turn is sent before the next one is computed', async (t) => {
  const steps: string[] = [];
  const keyedAnswer = aCostlyEndpoint(() => {
    steps.push('computed');
    useUpTurn();
    return {};
  });
  const send = async () => {
    await keyedAnswer(aCall());
    steps.push('sent');
  };
  await Promise.all([send(), send(), send()]);
  t.deepEqual(steps, ['computed', 'sent', 'computed', 'sent', 'computed', 'sent']);
});

/** Creates an imported model that replies to the first `callCount` answers together. */
function anImportedModel(callCount: number): ImportedModel {
  const allWait = Promise.withResolvers<void>();
  let waitingCount = 0;
  return {
    metadata: aModel().model.metadata,
    state: {
      ...{ version: 'imp', state: 'serving', reason: null },
      ...{ since: NOW.toISOString(), failures: 0, fallbackAnswers: 0 },
    },
    countFallback: () => undefined,
    recall: () => undefined,
    predict: async (rows) => {
      waitingCount += 1;
      if (waitingCount === callCount) allWait.resolve();
      await allWait.promise;
      return new Map([...rows.keys()].map((key) => [key, 0.5]));
    },
    probe: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

test('after an imported model has predicted for several answers that take a whole turn, each of them is sent before the next one is computed', async (t) => {
  const steps: string[] = [];
  const { complete, combine } = createPasses();
  const model = combine(anImportedModel(3), undefined);
  const models = { ...modelsWith(model), complete };
  const keyedAnswer = aCostlyEndpoint(
    ({ query }) => {
      const [probability] = model.predict(
        new Float32Array(FEATURES.length).fill(Number(query['row'])),
      );
      if (probability === 0.5) steps.push('computed');
      useUpTurn();
      return {};
    },
    { models: models as ApiDeps['models'] },
  );
  const send = async (row: string) => {
    await keyedAnswer(aCall({ row }));
    steps.push('sent');
  };
  await Promise.all([send('1'), send('2'), send('3')]);
  t.deepEqual(steps, ['computed', 'sent', 'computed', 'sent', 'computed', 'sent']);
});

test('if a minute ends while a signed answer is computed, the next attempt waits for a turn', async (t) => {
  const steps: string[] = [];
  let now = NOW;
  const keyedAnswer = aCostlyEndpoint(
    () => {
      if (steps.length === 0) now = new Date(NOW.getTime() + 60_000);
      steps.push('computed');
      setImmediate(() => steps.push('turn'));
      return {};
    },
    { now: () => now },
  );
  await keyedAnswer(aCall({ signed: 'true' }));
  t.deepEqual(steps.slice(0, 3), ['computed', 'turn', 'computed']);
});

test('answers that compute no score do not wait for costly answers', async (t) => {
  const answers = keyedAnswersOf(createRouter(someDeps({ models: modelsWith(aModel().model) })));
  const seen: string[] = [];
  const send = async (path: string, query: Call['query']) => {
    await answers.get(path)?.(aCall(query));
    seen.push(path);
  };
  const route = { origin: 'JFK', dest: 'LAX' };
  await Promise.all([
    send('/api/score/batch', { flights: 'JFK-LAX-AA-2026-03-20' }),
    send('/api/airlines', route),
    send('/api/news', route),
    send('/api/watches', {}),
  ]);
  t.deepEqual(seen, ['/api/news', '/api/watches', '/api/score/batch', '/api/airlines']);
});

test('if the caller closes the connection before its turn, nothing is computed and the call is free', async (t) => {
  const keys = fakeKeys();
  let computed = 0;
  const keyedAnswer = aCostlyEndpoint(
    () => {
      computed += 1;
      return {};
    },
    { keys },
  );
  const call = aCall();
  const closed = keyedAnswer({ ...call, res: { ...call.res, destroyed: true } });
  const open = keyedAnswer(aCall());
  await t.throwsAsync(closed, { message: 'The connection was closed.' });
  await open;
  t.is(computed, 1);
  t.is(keys.counted, 1);
});
