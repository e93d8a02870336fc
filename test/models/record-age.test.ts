import test from 'ava';
import { buildInterval } from '../../models/outlook.ts';
import parameters from '../../models/record-age.json' with { type: 'json' };
import { assessFlight } from '../../models/score.ts';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import { aStore } from '../helpers/store.ts';
import { recordWorth } from '../../models/evidence.ts';

const { freshMonths, halfLifeMonths } = parameters;

test('a record counts in full for a year, then its worth halves regularly', (t) => {
  t.is(recordWorth('2025-04', '2025-05-01'), 1);
  t.is(recordWorth('2025-04', '2026-04-30'), 1);
  t.true(recordWorth('2025-04', '2026-05-01') < 1);
  const oldest = new Date(Date.UTC(2026, 11 - freshMonths - halfLifeMonths));
  t.is(recordWorth(oldest.toISOString().slice(0, 7), '2026-12-22'), 0.5);
  t.is(recordWorth(undefined, '2026-12-22'), 1);
});

test('an old record lowers the confidence and widens the interval, but changes no statistics', (t) => {
  const assessWith = (last: string) =>
    assessFlight(
      { origin: 'JFK', dest: 'LAX', carrier: 'AA', flightDate: '2026-12-22' },
      { ...aStore(), recordMonths: () => ({ first: '2015-01', last }) },
      {},
    );
  const [fresh, old] = [assessWith('2026-02'), assessWith('2018-12')];
  t.true(fresh.confidence > 0.9 && old.confidence < 0.3);
  t.is(old.confidence, fresh.confidence * recordWorth('2018-12', '2026-12-22'));
  t.is(old.exactLinear, fresh.exactLinear);
  const widthOf = (assessment: typeof fresh) => {
    const [low, high] = buildInterval(assessment, 50)?.score ?? [0, 0];
    return high - low;
  };
  t.true(widthOf(old) > widthOf(fresh));
});

test('the parameters were not edited by hand', (t) => {
  const { seal, ...content } = parameters;
  t.is(seal, sha256(JSON.stringify(content)));
});
