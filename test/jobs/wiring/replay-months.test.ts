import path from 'node:path';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { backtestFiles } from '../../../jobs/wiring/backtest-files.ts';
import { replayMonths } from '../../../jobs/wiring/replay-months.ts';
import { scoreForecasts } from '../../../warehouse/build/score-forecasts.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { aFile, aFlight, aFolder, numberFlights, toCsv } from '../../helpers/flight-files.ts';
import { testWithXgboost as test } from '../../models/helpers/test-with-xgboost.ts';

/** Flights of two airlines on two routes on each day from January to April 2018. */
function flightsCsv(): string {
  const rows: Record<string, string>[] = [];
  for (let day = 0; day < 120; day += 1) {
    const date = new Date(Date.UTC(2018, 0, 1 + day)).toISOString().slice(0, 10);
    for (const [route, dest] of ['LAX', 'SEA'].entries()) {
      for (const [airline, carrier] of ['AA', 'DL'].entries()) {
        for (let nth = 0; nth < 6; nth += 1) {
          const isLate = (day * 7 + route * 3 + airline * 5 + nth) % (5 + 3 * airline) === 0;
          const delay = isLate ? '60.00' : '0.00';
          rows.push(
            aFlight({
              ...{ FL_DATE: date, OP_UNIQUE_CARRIER: carrier, DEST: dest },
              ...{ CRS_DEP_TIME: nth % 2 ? '0700' : '1900', ARR_DELAY: delay, DEP_DELAY: delay },
            }),
          );
        }
      }
    }
  }
  return toCsv(numberFlights(rows));
}

test('replayed months agree with a backtest of the same months', async (t) => {
  const file = await aFile(t, flightsCsv());
  const lakeDir = path.join(await aFolder(t), 'lake');
  await extractFile(
    { path: file },
    createExtractDeps({ lakeDir, codeVersion: 'test' }),
    () => undefined,
  );
  const settings = { codeVersion: 'test', log: () => undefined };
  await replayMonths({ lakeDir, from: '2018-03', to: '2018-04', ...settings });
  const { rows } = await scoreForecasts(lakeDir);
  t.true(rows.every(({ kind, horizon_days: days }) => kind === 'replayed' && days === null));
  const { result } = await backtestFiles({
    ...{ files: [file], cut: '2018-03-01', every: 1, seedFiles: [], ...settings },
  });
  for (const month of ['2018-03', '2018-04']) {
    const expected = result.by.month[month]?.ml;
    const row = rows.find(
      (one) =>
        one.outcome === 'late' &&
        one.month === month &&
        one.carrier === 'all' &&
        one.provider === 'all',
    );
    t.is(row?.flight_count, expected?.n);
    for (const [ours, theirs] of [
      [row?.forecast, expected?.forecast],
      [row?.actual, expected?.observed],
      [row?.brier, expected?.brier],
      [row?.log_loss, expected?.logLoss],
      [row?.auc, expected?.auc],
    ]) {
      t.true(Math.abs((ours ?? 9) - (theirs ?? 0)) < 1e-9, `${month}: ${ours}, ${theirs}`);
    }
  }
  for (const airline of ['AA', 'DL']) {
    const row = rows.find(
      (one) => one.outcome === 'late' && one.month === 'all' && one.carrier === airline,
    );
    t.true(Math.abs((row?.brier ?? 9) - (result.by.airline[airline]?.ml?.brier ?? 0)) < 1e-9);
  }
  // A month that is replayed again replaces the former forecasts.
  await replayMonths({ lakeDir, from: '2018-04', to: '2018-04', ...settings });
  const again = await scoreForecasts(lakeDir);
  t.deepEqual(
    again.rows.map(({ flight_count: n }) => n),
    rows.map(({ flight_count: n }) => n),
  );
});
