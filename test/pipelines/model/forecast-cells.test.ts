import test from 'ava';
import {
  cellsOf,
  compareCells,
  OtherFlightsError,
} from '../../../pipelines/model/forecast-cells.ts';
import { CALM, LATE, someFlights } from '../../helpers/scored.ts';

const HALVED = { linear: (score: number) => score / 200, blend: (score: number) => score / 200 };
const CURVES = { with_dep_time: HALVED, without_dep_time: HALVED };
const cells = (rows: (typeof CALM)[]) =>
  cellsOf({ with_dep_time: rows, without_dep_time: rows }, CURVES);

test('a cell holds the probability each method gave, null where it has no say', (t) => {
  const { ml: _, ...silent } = someFlights({ carrier: 'WN', local_hour: null });
  const none = someFlights({ carrier: 'HA', completed_count: 0, delayed_count: 0 });
  const [calm, unknown, ...rest] = cells([CALM, silent, none]);
  t.is(calm?.key, 'JFK-LAX-AA-2018-08-01-8');
  t.is(unknown?.key, 'JFK-LAX-WN-2018-08-01');
  t.deepEqual(calm?.said.ml, { with_dep_time: 0.1, without_dep_time: 0.1 });
  t.deepEqual(calm?.said.linear, { with_dep_time: 0.05, without_dep_time: 0.05 });
  t.is(unknown?.said.ml.with_dep_time, null);
  t.deepEqual(rest, []);
});

test('only flights that both forecast are compared, by method', (t) => {
  const { ml: _, ...silent } = someFlights({ carrier: 'WN' });
  const worse = { ...LATE, ml: 0.05 };
  const { unpaired, by } = compareCells(
    cells([CALM, LATE, silent]),
    cells([CALM, worse, silent, someFlights({ carrier: 'B6' })]),
  );
  t.is(unpaired, 10);
  t.is(by.blend.with_dep_time.n, 30);
  t.is(by.ml.with_dep_time.n, 20);
  t.is(by.ml.with_dep_time.clusters, 2);
  t.true(by.ml.with_dep_time.auc.difference > 0);
  t.is(by.linear.with_dep_time.brier.difference, 0);
});

test('flights without a day are told apart by the month of their airport', (t) => {
  const undated = (origin: string, flight_date: string) =>
    someFlights({ dated_by: 'weekday', origin, flight_date });
  const days = [undated('JFK', '2018-08-13'), undated('JFK', '2018-08-14')];
  const others = [undated('JFK', '2018-09-13'), undated('BOS', '2018-08-13')];
  const rows = cells([...days, ...others]);
  t.is(compareCells(rows, rows).by.blend.with_dep_time.clusters, 3);
});

test('other outcomes of the same flights are refused', (t) => {
  const other = someFlights({ delayed_count: 2 });
  t.throws(() => compareCells(cells([CALM]), cells([other])), {
    instanceOf: OtherFlightsError,
    message: 'JFK-LAX-AA-2018-08-01-8: 1 of 10 were delayed here and 2 of 10 were delayed there',
  });
});
