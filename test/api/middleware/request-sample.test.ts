import test from 'ava';
import { sampleRequests } from '../../../api/middleware/request-sample.ts';

test('above the rate one request in a hundred has a line, every 5xx too, and the lines tell of all', (t) => {
  const sample = sampleRequests(3);
  const calm = [0, 1, 2].map((at) => sample(200, at));
  t.deepEqual(calm, [1, 1, 1]);
  const busy = Array.from({ length: 250 }, (_, at) => sample(at === 120 ? 503 : 200, 3 + at));
  t.deepEqual(
    busy.flatMap((standsFor, at) => (standsFor === undefined ? [] : [[at, standsFor]])),
    [
      [99, 100],
      [120, 21],
      [220, 100],
    ],
  );
  t.is(sample(200, 1_000), 30, 'the first of the next second tells of the 29 before it too');
  t.is(sample(200, 1_001), 1);
});
