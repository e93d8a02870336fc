import test from 'ava';
import { sampleRequests } from '../../../api/middleware/request-sample.ts';

test('above the limit, one request in a hundred and every 5xx are logged; their counts add up to all requests', (t) => {
  const sample = sampleRequests(3);
  const below = [0, 1, 2].map((at) => sample(200, at));
  t.deepEqual(below, [1, 1, 1]);
  const above = Array.from({ length: 250 }, (_, at) => sample(at === 120 ? 503 : 200, 3 + at));
  t.deepEqual(
    above.flatMap((count, at) => (count === undefined ? [] : [[at, count]])),
    [
      [99, 100],
      [120, 21],
      [220, 100],
    ],
  );
  t.is(
    sample(200, 1_000),
    30,
    'the first line of the next second includes the 29 requests before it',
  );
  t.is(sample(200, 1_001), 1);
});
