import test from 'ava';
import { shareOfScore } from '../../../api/explorer/views/model/reliability-curve.ts';
import { wilsonInterval } from '../../../api/explorer/views/places/shares.ts';
import marks from '../../../models/score-marks.json' with { type: 'json' };

test('a score stands for the share that the marks of the scale assign to it', (t) => {
  const { zeroRate, pointsPerDoubling } = marks.marks.withModel;
  const odds = (share: number) => share / (1 - share);
  t.true(Math.abs(shareOfScore(0) - zeroRate) < 1e-12);
  const ratio = odds(shareOfScore(40 + pointsPerDoubling)) / odds(shareOfScore(40));
  t.true(Math.abs(ratio - 2) < 1e-9);
});

test('the 90% interval of a share is wide for few flights and never leaves 0 to 1', (t) => {
  // Wilson's interval with z = 1.645, computed by hand: 10 of 100 flights.
  const { low, high } = wilsonInterval(0.1, 100);
  t.is(low.toFixed(4), '0.0607');
  t.is(high.toFixed(4), '0.1604');
  const [none, all] = [wilsonInterval(0, 20).low, wilsonInterval(1, 20).high];
  t.true(none >= 0 && none < 1e-12, `${none}`);
  t.true(all <= 1 && all > 1 - 1e-12, `${all}`);
  t.deepEqual(wilsonInterval(0, 0), { low: 0, high: 1 });
});
