/** Answers rows that lie one after the other. */
export type Run = (rows: Float32Array) => Promise<Float32Array>;

/** Rows of one run at most, so that no run holds up other work for more than a few milliseconds. */
const BATCH_MAX = 512;

/** Answers any number of rows, run after run. */
export async function inBatches(
  run: Run,
  rows: Float32Array,
  width: number,
): Promise<Float32Array> {
  const answers = new Float32Array(rows.length / width);
  for (let at = 0; at < answers.length; at += BATCH_MAX) {
    answers.set(await run(rows.subarray(at * width, (at + BATCH_MAX) * width)), at);
  }
  return answers;
}

type Waiting = {
  row: Float32Array;
  resolve: (p: number) => void;
  reject: (error: unknown) => void;
};

/** Gathers the rows of a turn of the event loop, and answers each from one run over all. */
export function gathered(run: Run, width: number): (row: Float32Array) => Promise<number> {
  let waiting: Waiting[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const rows = new Float32Array(batch.length * width);
    for (const [at, { row }] of batch.entries()) rows.set(row, at * width);
    run(rows).then(
      (answers) => batch.forEach(({ resolve }, at) => resolve(answers[at] ?? Number.NaN)),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
  };
  return (row) => {
    if (row.length !== width) {
      return Promise.reject(new RangeError(`${row.length} features, not ${width}`));
    }
    return new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject });
      if (waiting.length === 1) setImmediate(flush);
      if (waiting.length === BATCH_MAX) flush();
    });
  };
}
