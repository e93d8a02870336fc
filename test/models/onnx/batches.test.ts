import test from 'ava';
import { gathered, inBatches } from '../../../models/onnx/batches.ts';
import { ModelAwayError } from '../../../models/onnx/errors.ts';
import { inTime } from '../../../models/onnx/in-time.ts';

/** A run that answers each row of two with their sum, and the sizes of the runs there were. */
function aRun() {
  const sizes: number[] = [];
  const run = (rows: Float32Array) => {
    sizes.push(rows.length / 2);
    const sums = rows.map((value, at) => value + (rows[at + 1] ?? 0));
    return Promise.resolve(sums.filter((_, at) => at % 2 === 0));
  };
  return { run, sizes };
}

test('rows of one turn of the event loop are one run, those of the next another', async (t) => {
  const { run, sizes } = aRun();
  const predict = gathered(run, 2);
  const first = Promise.all([
    predict(Float32Array.of(1, 10, 2, 10)),
    predict(Float32Array.of(3, 10)),
  ]);
  t.deepEqual(await first, [Float32Array.of(11, 12), Float32Array.of(13)]);
  t.deepEqual(await predict(Float32Array.of(4, 10)), Float32Array.of(14));
  t.deepEqual(sizes, [3, 1]);
});

test('no run has more than 512 rows, and every row gets its answer', async (t) => {
  const { run, sizes } = aRun();
  const predict = gathered(run, 2);
  const values = Array.from({ length: 1_100 }, (_, at) => at);
  const answers = await Promise.all(values.map((value) => predict(Float32Array.of(value, 1))));
  t.deepEqual(
    answers.flatMap((answer) => [...answer]),
    values.map((value) => value + 1),
  );
  t.deepEqual(sizes, [512, 512, 76]);
  const rows = Float32Array.from(values.flatMap((value) => [value, 1]));
  t.deepEqual(
    await inBatches(run, rows, 2),
    Float32Array.from(values, (value) => value + 1),
  );
  t.deepEqual(sizes, [512, 512, 76, 512, 512, 76]);
});

test('rows of one question are in one run, and no run has more than 512', async (t) => {
  const { run, sizes } = aRun();
  const predict = gathered(run, 2);
  const some = (rows: number) => predict(new Float32Array(2 * rows));
  const answers = await Promise.all([some(500), some(24), some(488), some(1)]);
  t.deepEqual(
    answers.map(({ length }) => length),
    [500, 24, 488, 1],
  );
  t.deepEqual(sizes, [500, 512, 1]);
});

test('a run that fails fails its own rows, not those of the next', async (t) => {
  const { run } = aRun();
  let failures = 1;
  const predict = gathered(
    (rows) => (failures-- > 0 ? Promise.reject(new Error('away')) : run(rows)),
    2,
  );
  const row = Float32Array.of(1, 2);
  const outcomes = await Promise.allSettled([predict(row), predict(row)]);
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  t.deepEqual(await predict(row), Float32Array.of(3));
});

test('a run that never answers is given up', async (t) => {
  await t.throwsAsync(inTime(new Promise(() => undefined), 5), { instanceOf: ModelAwayError });
  t.is(await inTime(Promise.resolve(7), 60_000), 7);
});
