import test from 'ava';
import { meanShare } from '../../../../jobs/cli/fit/late-shares.ts';
import { INFERRED_DELAYS } from '../../../../warehouse/store/late-shares.ts';

test('the error of a share is that of providers which the fit has not seen', (t) => {
  const same = meanShare([0.4, 0.4, 0.4]);
  t.true(Math.abs(same.mean - 0.4) < 1e-9);
  t.true(same.error < 1e-9);
  // Each share is inferred from the other share, so both errors are 0.2.
  const { mean, error } = meanShare([0.4, 0.6]);
  t.true(Math.abs(mean - 0.5) < 1e-9);
  t.true(Math.abs(error - 0.2) < 1e-9);
});

test('longer delays have smaller shares', (t) => {
  t.deepEqual(
    INFERRED_DELAYS.map(({ minutes }) => minutes),
    [30, 60, 120, 180, 360],
  );
  const shares = INFERRED_DELAYS.slice(1).map(({ share }) => share);
  t.deepEqual(
    shares,
    shares.toSorted((a, b) => b - a),
  );
});
