import test from 'ava';
import { applyDanger, MAX_LOG_ODDS, type Danger } from '../../models/danger.ts';
import { knotShares, withInboundDelay } from '../../models/inbound.ts';

const STORM: Danger = {
  risk: 0.5,
  logOdds: 1.8,
  range: [0, 4],
  cancelledShare: 0.3,
  cause: 'a storm disrupts flights at JFK (Reuters)',
};

test('between two knots, both have a share in proportion; beyond the ends, the end has all', (t) => {
  t.deepEqual(knotShares(45, [0, 30, 60]), [0, 0.5, 0.5]);
  t.deepEqual(knotShares(30, [0, 30, 60]), [0, 1, 0]);
  t.deepEqual(knotShares(0, [0, 30, 60]), [1, 0, 0]);
  t.deepEqual(knotShares(600, [0, 30, 60]), [0, 0, 1]);
});

test('an aircraft that arrives on time lowers the risk; the later it arrives, the higher is the risk', (t) => {
  const effects = [0, 15, 30, 60, 120].map(
    (minutes) => withInboundDelay(undefined, minutes).logOdds,
  );
  t.deepEqual(
    effects,
    effects.toSorted((a, b) => a - b),
  );
  t.true((effects[0] as number) < 0);
  t.true((effects[3] as number) > 2);
});

test('the effect stays in its range, also with events and at the limit', (t) => {
  for (const minutes of [0, 20, 45, 600, 1_440]) {
    for (const danger of [undefined, STORM, { ...STORM, logOdds: 6, range: [4, 6] as const }]) {
      const { risk, logOdds, range, cancelledShare } = withInboundDelay(danger, minutes);
      t.true(range[0] <= logOdds && logOdds <= range[1] && range[1] <= MAX_LOG_ODDS);
      t.true(risk >= (danger?.risk ?? 0) && risk <= 1);
      t.true(cancelledShare >= 0 && cancelledShare <= (danger?.cancelledShare ?? 0));
    }
  }
});

test('the larger effect is the cause', (t) => {
  t.is(withInboundDelay(STORM, 0).cause, STORM.cause);
  t.is(withInboundDelay(STORM, 90).cause, 'the incoming aircraft is 90 minutes late');
  t.is(withInboundDelay(undefined, 0).cause, undefined);
});

test('negative log-odds lower both probabilities and never below 0', (t) => {
  const calm = { late: 0.01, cancelled: 0.2 };
  const { late, cancelled } = applyDanger(calm, withInboundDelay(undefined, 0), 1);
  t.true(late > 0 && late < calm.late);
  t.true(cancelled > 0 && cancelled < calm.cancelled);
  t.true(Math.abs(late / cancelled - calm.late / calm.cancelled) < 1e-9);
});
