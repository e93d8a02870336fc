import test from 'ava';
import {
  leadOf,
  smallBacktests,
  smallHistories,
} from '../../../pipelines/model/small-histories.ts';
import { TooLittleHistoryError } from '../../../pipelines/model/train-model.ts';
import type { HistoryPart } from '../../../warehouse/build/as-of.ts';
import { aScoredOutcome } from '../../helpers/scored-outcomes.ts';

/** Ten flights from JFK, and more or fewer from three other airports. */
const PAST = [
  aScoredOutcome(),
  aScoredOutcome({ origin: 'LGA', completed_count: 40 }),
  aScoredOutcome({ origin: 'EWR', carrier: 'DL', completed_count: 20 }),
  aScoredOutcome({ origin: 'SWF', carrier: 'DL', completed_count: 5 }),
].map(({ outcome }) => outcome);

test('small histories are pairs of airports, single airports and airlines, the largest first', (t) => {
  t.deepEqual(smallHistories(PAST), [
    { name: 'LGA and EWR', months: 6, part: { origins: ['LGA', 'EWR'] } },
    { name: 'JFK and SWF', months: 6, part: { origins: ['JFK', 'SWF'] } },
    { name: 'LGA', months: 12, part: { origins: ['LGA'] } },
    { name: 'JFK', months: 12, part: { origins: ['JFK'] } },
    { name: 'airline AA', months: 12, part: { carriers: ['AA'] } },
  ]);
});

test('a back-test of a small history uses only its months, and reports when they are too few', async (t) => {
  const later = aScoredOutcome({ origin: 'LGA', carrier: 'DL', flight_date: '2018-10-02' }).outcome;
  const requests: [string, HistoryPart][] = [];
  const unused = () => t.fail();
  const results = await smallBacktests('2018-10-01', {
    outcomesOf: async (from, until) =>
      [...PAST, later].filter((one) => one.flight_date >= from && one.flight_date < until),
    knowledgeAsOf: async (day, part) => {
      requests.push([day, part]);
      throw new TooLittleHistoryError('too little');
    },
    openStore: unused,
    train: unused,
    trainPlain: unused,
    log: () => undefined,
  });
  const noFlights = 'the files have no flights from 2018-10-01 on; their last day is 2018-08-01';
  t.deepEqual(results, [
    { name: 'LGA and EWR, 6 months', why: 'too little' },
    { name: 'JFK and SWF, 6 months', why: noFlights },
    { name: 'LGA, 12 months', why: 'too little' },
    { name: 'JFK, 12 months', why: noFlights },
    { name: 'airline AA, 12 months', why: noFlights },
  ]);
  t.deepEqual(requests, [
    ['2018-08-01', { origins: ['LGA', 'EWR'], from: '2018-04-01' }],
    ['2018-08-01', { origins: ['LGA'], from: '2017-10-01' }],
  ]);
});

test('the model’s lead is measured on the flights that it forecasts, and its noise over days', (t) => {
  const rows = ['2018-10-01', '2018-10-02'].flatMap((flight_date) => [
    aScoredOutcome({ flight_date, delayed_count: 0 }, { ml: 0.1 }),
    aScoredOutcome({ flight_date, delayed_count: 10 }, { ml: 0.2 }),
  ]);
  const { ml: _, ...withoutForecast } = aScoredOutcome({ delayed_count: 10 });
  const plain = rows.toReversed().map((row) => ({ ...row, ml: 0.3 - (row.ml ?? 0) }));
  const byHours = (flights: typeof rows) => ({ with_dep_time: flights, without_dep_time: flights });
  const lead = leadOf({ scored: byHours([...rows, withoutForecast]), plain: byHours(plain) });
  t.deepEqual(lead.rate.with_dep_time, { ours: 1, theirs: 0.5, difference: 0.5, noise: 0 });
  t.deepEqual(lead.plain.without_dep_time, { ours: 1, theirs: 0, difference: 1, noise: 0 });
});

test('if routes differ more than days, the noise is measured over routes', (t) => {
  const rows = ['2018-10-01', '2018-10-02'].flatMap((flight_date) =>
    ['LAX', 'SFO', 'SEA'].flatMap((dest, at) => [
      aScoredOutcome({ flight_date, dest, delayed_count: 0 }, { ml: 0.1 }),
      aScoredOutcome({ flight_date, dest, delayed_count: 10 }, { ml: at === 0 ? 0.05 : 0.2 }),
    ]),
  );
  const { rate } = leadOf({
    scored: { with_dep_time: rows, without_dep_time: rows },
    plain: { with_dep_time: rows, without_dep_time: rows },
  });
  t.true(rate.with_dep_time.difference < 0.5);
  t.true(rate.with_dep_time.noise > 0.1);
});
