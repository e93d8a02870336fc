import test from 'ava';
import type { Call } from '../../../api/call.ts';
import { keyedEndpoint } from '../../../api/middleware/keyed-endpoint.ts';
import { SOME_KEY, someDeps } from '../helpers/app.ts';

function aCall(): Call {
  return {
    query: { api_key: SOME_KEY },
    get: () => '',
    state: { requestId: 'a-request' },
    res: { setHeader: () => undefined },
  };
}

test('each long answer is sent before the next one is computed', async (t) => {
  const steps: string[] = [];
  const { keyedAnswer } = keyedEndpoint<object>(
    {
      isLong: true,
      parse: () => ({}),
      cost: () => 1,
      answer: () => {
        steps.push('computed');
        return {};
      },
    },
    someDeps(),
  );
  const send = async () => {
    await keyedAnswer(aCall());
    steps.push('sent');
  };
  await Promise.all([send(), send(), send()]);
  t.deepEqual(steps, ['computed', 'sent', 'computed', 'sent', 'computed', 'sent']);
});
