import test from 'ava';
import type { Model } from '../../../models/onnx/model.ts';
import { FEATURES } from '../../../models/features.ts';
import { scoreOutcomes } from '../../../pipelines/model/score-outcomes.ts';
import { storeForDays } from '../../../pipelines/model/unknown-days.ts';
import type { DatedBy } from '../../../warehouse/build/as-of.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { aScoredOutcome } from '../../helpers/scored-outcomes.ts';
import { aStore } from '../../helpers/store.ts';

/**
 * A store in which Mondays have twice the delays and more congestion. Every day is the eve of a holiday that doubles
 * delays.
 */
const MONDAYS: ScoreStore = {
  ...aStore(),
  monthOdds: (month) => (month === 10 ? 1.5 : 1),
  weekdayOdds: (weekday) => (weekday === 1 ? 2 : 1),
  holidayDay: () => ({ name: 'the eve', logOdds: Math.log(2) }),
  congestion: (_, __, weekday) => (weekday === 1 ? 0.8 : 0.1),
  congestionByHour: (_, __, weekday) => new Float32Array(24).fill(weekday === 1 ? 0.75 : 0.25),
};

/** The store's values for Monday, 1 October 2018, at JFK. */
function monday(store: ScoreStore) {
  return {
    month: store.monthOdds(10),
    weekday: store.weekdayOdds(1),
    holiday: store.holidayDay('US', '2018-10-01')?.name,
    congestion: Number(store.congestion('JFK', 10, 1)?.toFixed(6)),
    at8: Number(store.congestionByHour('JFK', 10, 1)?.[8]?.toFixed(6)),
  };
}

test('for a flight with a date, values of its day are used', (t) => {
  t.deepEqual(monday(storeForDays(MONDAYS, 'day')), {
    month: 1.5,
    weekday: 2,
    holiday: 'the eve',
    congestion: 0.8,
    at8: 0.75,
  });
});

test('if only the weekday is known, the day is not near a holiday', (t) => {
  t.deepEqual(monday(storeForDays(MONDAYS, 'weekday')), {
    month: 1.5,
    weekday: 2,
    holiday: undefined,
    congestion: 0.8,
    at8: 0.75,
  });
});

test('if only the month is known, the weekday is an average weekday', (t) => {
  t.deepEqual(monday(storeForDays(MONDAYS, 'month')), {
    month: 1.5,
    weekday: 1,
    holiday: undefined,
    congestion: 0.2,
    at8: 0.321429,
  });
});

test('an airport without congestion figures has no figure for an average weekday either', (t) => {
  const unknown = { ...aStore(), congestion: () => undefined, congestionByHour: () => undefined };
  const store = storeForDays(unknown, 'month');
  t.is(store.congestion('AKL', 10, 1), undefined);
  t.is(store.congestionByHour('AKL', 10, 1), undefined);
});

/** Predicts 0.01 times the odds of the day. */
const DAY_MODEL: Model = {
  metadata: {
    outlook: {
      notLate: { under15: 0.9, from15to30: 0.1 },
      late: { from30to60: 0.5, from60to120: 0.3, over120: 0.2 },
    },
  } as Model['metadata'],
  predict: (rows) =>
    Float32Array.from({ length: rows.length / FEATURES.length }, (_, row) => {
      const [month = 0, weekday = 0, holiday = 0] = rows.subarray(row * FEATURES.length);
      return 0.01 * Math.exp(month + weekday + holiday);
    }),
};

test('flights without a date are forecast for the average day of their month, whichever placeholder day they have', async (t) => {
  const dated = (flight_date: string, dated_by: DatedBy) =>
    aScoredOutcome({ flight_date, dated_by }).outcome;
  const outcomes = [
    dated('2018-10-01', 'month'),
    dated('2018-10-01', 'day'),
    dated('2018-10-02', 'month'),
    dated('2018-10-01', 'weekday'),
    dated('2018-10-02', 'weekday'),
  ];
  const scored = scoreOutcomes(outcomes, MONDAYS, DAY_MODEL, true);
  t.deepEqual(
    scored.map(({ ml }) => ml?.toFixed(4)),
    ['0.0150', '0.0600', '0.0150', '0.0300', '0.0150'],
  );
  t.deepEqual(
    scored.map(({ outcome }) => outcome),
    outcomes,
  );
  t.is(scored[0]?.linear, scored[2]?.linear);
});
