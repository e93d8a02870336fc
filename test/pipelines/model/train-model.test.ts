import { createHash } from 'node:crypto';
import { FEATURES, MODEL_CONTRACT } from '../../../models/features.ts';
import { openModel } from '../../../models/onnx/model.ts';
import { openXgboost } from '../../../models/train/xgboost.ts';
import { TooLittleHistoryError, trainModel } from '../../../pipelines/model/train-model.ts';
import { readTrainingData, type TrainingData } from '../../../warehouse/build/training-rows.ts';
import { aRouteHour, buildWarehouse } from '../../helpers/warehouse.ts';
import { testWithXgboost as test } from '../../models/helpers/test-with-xgboost.ts';

const SETTINGS = { seed: 7, codeVersion: 'test', metrics: {} };
const noProgress = () => undefined;

/** Four months: B6 is late three times as often as DL, and evenings twice as often as mornings. */
const HISTORY = ['2018-04-01', '2018-05-01', '2018-06-01', '2018-07-01'].flatMap((month) =>
  [6, 18].flatMap((crs_dep_hour) =>
    ['DL', 'B6'].map((carrier) =>
      aRouteHour({
        month,
        crs_dep_hour,
        carrier,
        flight_count: 5000,
        delayed_count: 250 * (carrier === 'B6' ? 3 : 1) * (crs_dep_hour === 18 ? 2 : 1),
      }),
    ),
  ),
);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function row(data: TrainingData, at: number): Float32Array {
  return Float32Array.from(FEATURES, ({ name }) => data.columns[name]?.[at] ?? 0);
}

test('the same data and seed give the same bytes, for any order of loading; another seed gives other bytes', async (t) => {
  const train = async (seed: number, routeHours = HISTORY) => {
    const data = await readTrainingData(await buildWarehouse(t, { routeHours }));
    return sha256(trainModel(data, { ...SETTINGS, seed }, openXgboost(), noProgress));
  };
  const bytes = await train(7);
  t.is(await train(7, HISTORY.toReversed()), bytes);
  t.not(await train(8), bytes);
});

test('a model has its training data in its metadata, and separates late airlines and hours from others', async (t) => {
  const data = await readTrainingData(await buildWarehouse(t, { routeHours: HISTORY }));
  const model = openModel(trainModel(data, SETTINGS, openXgboost(), noProgress), MODEL_CONTRACT);
  t.deepEqual(model.metadata.trainedOn, {
    months: ['2018-04', '2018-05', '2018-06', '2018-07'],
    rows: 16,
    dataSha256: data.dataSha256,
    coverage: {
      first: '2018-04',
      last: '2018-07',
      flights: 80_000,
      airports: 2,
      carriers: 2,
      routes: 1,
    },
  });
  // Rows are sorted by month, carrier and hour.
  const [b6Morning, b6Evening, dlMorning, dlEvening] = [0, 1, 2, 3].map((at) =>
    model.predict(row(data, at)),
  );
  t.true(Number(dlMorning) < Number(dlEvening));
  t.true(Number(dlEvening) < Number(b6Evening));
  t.true(Number(dlMorning) < Number(b6Morning));
  t.true(Number(b6Evening) > 0.15 && Number(b6Evening) < 0.35);
});

for (const [subject, delayed_count] of [
  ['delays', 50],
  ['punctual flights', 450],
] as const) {
  test(`too few ${subject} are refused`, async (t) => {
    const data = await readTrainingData(
      await buildWarehouse(t, { routeHours: [aRouteHour({ flight_count: 500, delayed_count })] }),
    );
    t.throws(() => trainModel(data, SETTINGS, openXgboost(), noProgress), {
      instanceOf: TooLittleHistoryError,
      message: `${delayed_count} of 500 flights were delayed; training needs at least 100 delayed flights and 100 others`,
    });
  });
}
