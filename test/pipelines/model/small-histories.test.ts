import test from 'ava';
import {
  leadOf,
  smallBacktests,
  smallHistories,
} from '../../../pipelines/model/small-histories.ts';
import { TooLittleHistoryError } from '../../../pipelines/model/train-model.ts';
import type { HistoryPart } from '../../../warehouse/build/as-of.ts';
import { someFlights } from '../../helpers/scored.ts';

/** Ten flights each, but for those of LGA and of DL, which are more. */
const PAST = [
  someFlights(),
  someFlights({ origin: 'LGA', completed_count: 40 }),
  someFlights({ origin: 'EWR', carrier: 'DL', completed_count: 20 }),
  someFlights({ origin: 'SWF', carrier: 'DL', completed_count: 5 }),
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

test('a small history knows its own months alone, and one that is too small says so', async (t) => {
  const later = someFlights({ origin: 'LGA', carrier: 'DL', flight_date: '2018-10-02' }).outcome;
  const asked: [string, HistoryPart][] = [];
  const unused = () => t.fail();
  const results = await smallBacktests('2018-10-01', {
    outcomesOf: async (from, until) =>
      [...PAST, later].filter((one) => one.flight_date >= from && one.flight_date < until),
    knowledgeAsOf: async (day, part) => {
      asked.push([day, part]);
      throw new TooLittleHistoryError('too little');
    },
    openStore: unused,
    train: unused,
    trainPlain: unused,
    log: () => undefined,
  });
  const none = 'the files hold no flights from 2018-10-01 on; their last day is 2018-08-01';
  t.deepEqual(results, [
    { name: 'LGA and EWR, 6 months', why: 'too little' },
    { name: 'JFK and SWF, 6 months', why: none },
    { name: 'LGA, 12 months', why: 'too little' },
    { name: 'JFK, 12 months', why: none },
    { name: 'airline AA, 12 months', why: none },
  ]);
  t.deepEqual(asked, [
    ['2018-08-01', { origins: ['LGA', 'EWR'], from: '2018-04-01' }],
    ['2018-08-01', { origins: ['LGA'], from: '2017-10-01' }],
  ]);
});

test('the model’s lead is that on the flights it has a say in, and its noise is told by days', (t) => {
  const rows = ['2018-10-01', '2018-10-02'].flatMap((flight_date) => [
    someFlights({ flight_date, delayed_count: 0 }, { ml: 0.1 }),
    someFlights({ flight_date, delayed_count: 10 }, { ml: 0.2 }),
  ]);
  const { ml: _, ...silent } = someFlights({ delayed_count: 10 });
  const plain = rows.toReversed().map((row) => ({ ...row, ml: 0.3 - (row.ml ?? 0) }));
  const both = (of: typeof rows) => ({ with_dep_time: of, without_dep_time: of });
  const lead = leadOf({ scored: both([...rows, silent]), plain: both(plain) });
  t.deepEqual(lead.rate.with_dep_time, { ours: 1, theirs: 0.5, difference: 0.5, noise: 0 });
  t.deepEqual(lead.plain.without_dep_time, { ours: 1, theirs: 0, difference: 1, noise: 0 });
});

test('where routes differ by more than days do, the noise of the lead is that of the routes', (t) => {
  const rows = ['2018-10-01', '2018-10-02'].flatMap((flight_date) =>
    ['LAX', 'SFO', 'SEA'].flatMap((dest, at) => [
      someFlights({ flight_date, dest, delayed_count: 0 }, { ml: 0.1 }),
      someFlights({ flight_date, dest, delayed_count: 10 }, { ml: at === 0 ? 0.05 : 0.2 }),
    ]),
  );
  const { rate } = leadOf({
    scored: { with_dep_time: rows, without_dep_time: rows },
    plain: { with_dep_time: rows, without_dep_time: rows },
  });
  t.true(rate.with_dep_time.difference < 0.5);
  t.true(rate.with_dep_time.noise > 0.1);
});
