import test from 'ava';
import {
  cellsOf,
  compareCells,
  OtherFlightsError,
} from '../../../pipelines/model/forecast-cells.ts';
import { USUAL_FLIGHTS, LATE_FLIGHTS, aScoredOutcome } from '../../helpers/scored-outcomes.ts';

const HALF_CURVES = {
  linear: (score: number) => score / 200,
  blend: (score: number) => score / 200,
};
const CURVES = { with_dep_time: HALF_CURVES, without_dep_time: HALF_CURVES };
const cells = (rows: (typeof USUAL_FLIGHTS)[]) =>
  cellsOf({ with_dep_time: rows, without_dep_time: rows }, CURVES);

test('a cell has the probability of each method, and null where a method has no forecast', (t) => {
  const { ml: _, ...withoutForecast } = aScoredOutcome({ carrier: 'WN', local_hour: null });
  const withoutFlights = aScoredOutcome({ carrier: 'HA', completed_count: 0, delayed_count: 0 });
  const [calm, unknown, ...rest] = cells([USUAL_FLIGHTS, withoutForecast, withoutFlights]);
  t.is(calm?.key, 'JFK-LAX-AA-2018-08-01-8');
  t.is(unknown?.key, 'JFK-LAX-WN-2018-08-01');
  t.deepEqual(calm?.said.ml, { with_dep_time: 0.1, without_dep_time: 0.1 });
  t.deepEqual(calm?.said.linear, { with_dep_time: 0.05, without_dep_time: 0.05 });
  t.is(unknown?.said.ml.with_dep_time, null);
  t.deepEqual(rest, []);
});

test('only flights in both back-tests are compared, by method', (t) => {
  const { ml: _, ...withoutForecast } = aScoredOutcome({ carrier: 'WN' });
  const worse = { ...LATE_FLIGHTS, ml: 0.05 };
  const { unpaired, by } = compareCells(
    cells([USUAL_FLIGHTS, LATE_FLIGHTS, withoutForecast]),
    cells([USUAL_FLIGHTS, worse, withoutForecast, aScoredOutcome({ carrier: 'B6' })]),
  );
  t.is(unpaired, 10);
  t.is(by.blend.with_dep_time.n, 30);
  t.is(by.ml.with_dep_time.n, 20);
  t.is(by.ml.with_dep_time.clusters, 2);
  t.true(by.ml.with_dep_time.auc.difference > 0);
  t.is(by.linear.with_dep_time.brier.difference, 0);
});

test('flights without a day are in blocks of airport and month', (t) => {
  const undated = (origin: string, flight_date: string) =>
    aScoredOutcome({ dated_by: 'weekday', origin, flight_date });
  const days = [undated('JFK', '2018-08-13'), undated('JFK', '2018-08-14')];
  const others = [undated('JFK', '2018-09-13'), undated('BOS', '2018-08-13')];
  const rows = cells([...days, ...others]);
  t.is(compareCells(rows, rows).by.blend.with_dep_time.clusters, 3);
});

test('different outcomes of the same flights are refused', (t) => {
  const other = aScoredOutcome({ delayed_count: 2 });
  t.throws(() => compareCells(cells([USUAL_FLIGHTS]), cells([other])), {
    instanceOf: OtherFlightsError,
    message:
      'JFK-LAX-AA-2018-08-01-8: 1 of 10 were delayed in this backtest, 2 of 10 were delayed in the other',
  });
});
