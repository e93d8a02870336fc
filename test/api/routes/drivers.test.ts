import test from 'ava';
import { scorePoints } from '../../../models/points.ts';
import type { LiveInputs } from '../../../models/types.ts';
import { logit } from '../../../warehouse/ground/log-odds.ts';
import { anApi, scoreUrl } from '../helpers/app.ts';

function anAnswer(include: string, live: LiveInputs = {}, changes: Record<string, string> = {}) {
  return anApi({ liveInputs: () => live })(scoreUrl({ include, ...changes }));
}

test('the drivers add up from an average flight to the points of the statistics', async (t) => {
  for (const live of [{}, { mlProbability: 0.3 }]) {
    const { body } = await anAnswer('drivers,blend', live, { dep_time: '17:30' });
    const { top, average_points, factors } = body['drivers'] as {
      top: string;
      average_points: number;
      factors: { key: string; points: number }[];
    };
    const { statistical_points } = body['blend'] as { statistical_points: number };
    const total = factors.reduce((sum, { points }) => sum + points, average_points);
    t.true(Math.abs(total - statistical_points) < 0.05, `${total} ${statistical_points}`);
    t.is(top, factors[0]!.key);
    t.deepEqual(
      factors,
      factors.toSorted((a, b) => b.points - a.points),
    );
  }
});

test('the share of an average flight has the points of an average flight', async (t) => {
  const { body } = await anAnswer('drivers');
  const { average_points, average_share } = body['drivers'] as Record<string, number>;
  t.true(average_share! > 0.01 && average_share! < 0.99);
  const { score } = scorePoints(logit(average_share!), undefined);
  t.true(Math.abs(score - average_points!) < 0.1, `${score} ${average_points}`);
  const { body: withModel } = await anAnswer('drivers,blend', { mlProbability: 0.3 });
  const { average_ml_points, ml_share } = Object.assign(
    {},
    withModel['drivers'],
    withModel['blend'],
  ) as Record<string, number>;
  const lateShare = average_ml_points! / (100 * ml_share!);
  t.true(lateShare > 0.01 && lateShare < average_share!, 'without cancelled flights');
});
