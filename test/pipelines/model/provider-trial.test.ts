import test, { type ExecutionContext } from 'ava';
import { NothingToMeasureError } from '../../../pipelines/errors.ts';
import { compareWithRates } from '../../../pipelines/model/provider-trial.ts';
import { tryProviderFiles, tryProviderLake } from '../../../jobs/wiring/provider-trials.ts';
import { readOutcomes } from '../../../warehouse/build/as-of.ts';
import { INFERRED_DELAYS } from '../../../warehouse/store/late-shares.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import { aFile, extractToLake, toCsv } from '../../helpers/flight-files.ts';

/** Sixty days of flights at two hours: the morning flight is late on one day in ten, the evening flight on `evening`. */
async function aFileOfFlights(t: ExecutionContext, evening: (day: number) => boolean) {
  const rows = Array.from({ length: 60 }, (_, day) => {
    const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
    return ['07', '19'].flatMap((hour) =>
      ['AF', 'BA', 'U2'].map((airline) => {
        const isLate = hour === '07' ? day % 10 === 3 : evening(day);
        return {
          flight_date: date,
          airline,
          flight: hour,
          origin: 'LHR',
          dest: 'CDG',
          scheduled_departure: `${hour}:00`,
          actual_departure: `${hour}:00`,
          scheduled_arrival: `${hour}:20`,
          actual_arrival: isLate ? `${hour}:59` : `${hour}:20`,
        };
      }),
    );
  }).flat();
  return aFile(t, toCsv(rows));
}

const SETTINGS = { codeVersion: 'test', log: () => undefined };

test('forecasts with the hour beat the former rates where the hours differ', async (t) => {
  const file = await aFileOfFlights(t, (day) => day % 4 !== 0);
  const [trial, none] = await tryProviderFiles({ files: [file], ...SETTINGS }, [
    { cut: '2025-02-01' },
  ]);
  t.is(none, undefined);
  t.like(trial, {
    provider: 'own',
    trainedOn: ['2025-01'],
    testedOn: ['2025-02', '2025-03'],
    measured: 1,
  });
  const { with_dep_time: withHour, without_dep_time: withoutHour } = trial?.figures ?? {};
  t.is(withHour?.n, 29 * 6);
  t.is(withHour?.paired.clusters, 29);
  t.true((withHour?.auc ?? 0) > 0.6);
  t.true(Math.abs((withoutHour?.auc ?? 0) - 0.5) < 0.1);
  t.is(withHour && compareWithRates(withHour.paired), 'better');
});

test('flights that are all on time cannot be measured', async (t) => {
  const file = await aFileOfFlights(t, () => true);
  const { lakeDir } = await extractToLake(t, file);
  const lake = providerLakeDir(lakeDir, 'own');
  const period = { cut: '2025-03-01', until: '2025-03-02' };
  const trial = await tryProviderLake(lake, 'own', period);
  t.deepEqual(trial.testedOn, ['2025-03']);
  await t.throwsAsync(tryProviderLake(lake, 'own', { cut: '2025-03-01', until: '2025-03-01' }), {
    instanceOf: NothingToMeasureError,
  });
});

test('a difference within two standard errors is noise', (t) => {
  const figure = (difference: number) => ({ ours: 0.3, theirs: 0.3, difference, noise: 0.01 });
  const compare = (difference: number) =>
    compareWithRates({
      n: 100,
      clusters: 20,
      auc: figure(0),
      brier: figure(0),
      logLoss: figure(difference),
    });
  t.deepEqual([-0.021, -0.019, 0.019, 0.021].map(compare), ['better', 'equal', 'equal', 'worse']);
});

test('an outcome has the delay of the end that is known', async (t) => {
  const row = { flight_date: '2025-03-05', airline: 'AF', origin: 'LHR', dest: 'CDG' };
  const ends = {
    departure: { scheduled_departure: '08:15', actual_departure: '09:15' },
    arrival: { scheduled_arrival: '10:35', actual_arrival: '11:35' },
  };
  const none = {
    scheduled_departure: '',
    actual_departure: '',
    scheduled_arrival: '',
    actual_arrival: '',
  };
  const rows = [ends.departure, ends.arrival].map((end) => ({ ...row, ...none, ...end }));
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(rows)));
  const outcomes = await readOutcomes(providerLakeDir(lakeDir, 'own'), '2025-03-01', '2025-04-01');
  const late = outcomes.map(({ completed_count, delayed_count }) => [
    completed_count,
    delayed_count,
  ]);
  t.deepEqual(late, [[2, 2]]);
});

test('delays over 30 minutes that a provider does not count are a share of those over 15', async (t) => {
  const header =
    'Route,Departing_Port,Arriving_Port,Airline,Month,Sectors_Scheduled,Sectors_Flown,Cancellations,Departures_On_Time,Arrivals_On_Time,Departures_Delayed,Arrivals_Delayed,Year,Month_Num';
  const row = 'adelaide-brisbane,Adelaide,Brisbane,Jetstar,Jan-20,30,30,0,18,20,12,10,2020,1';
  const { lakeDir } = await extractToLake(t, await aFile(t, `${header}\n${row}\n`));
  const lake = providerLakeDir(lakeDir, 'bitre');
  const [outcome] = await readOutcomes(lake, '2020-01-01', '2020-02-01');
  const share = INFERRED_DELAYS.find(({ minutes }) => minutes === 30)?.share ?? 0;
  t.like(outcome, { completed_count: 30, delayed15_count: 10, delayed_count: 10 * share });
});
