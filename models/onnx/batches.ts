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
  rows: Float32Array;
  resolve: (answers: Float32Array) => void;
  reject: (error: unknown) => void;
};

/** Gathers the rows asked for in a turn of the event loop, and answers all of them from one run. */
export function gathered(run: Run, width: number): Run {
  let waiting: Waiting[] = [];
  let size = 0;
  const flush = () => {
    const batch = waiting;
    const all = new Float32Array(size);
    [waiting, size] = [[], 0];
    if (batch.length === 0) return;
    let end = 0;
    const ends = batch.map(({ rows }) => {
      all.set(rows, end);
      return (end += rows.length);
    });
    const answersOf = (answers: Float32Array, at: number) =>
      answers.subarray((ends[at - 1] ?? 0) / width, (ends[at] as number) / width);
    run(all).then(
      (answers) => batch.forEach(({ resolve }, at) => resolve(answersOf(answers, at))),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
  };
  return (rows) => {
    if (rows.length === 0 || rows.length % width !== 0) {
      return Promise.reject(new RangeError(`${rows.length} features, not ${width} a row`));
    }
    return new Promise((resolve, reject) => {
      if (size + rows.length > BATCH_MAX * width) flush();
      waiting.push({ rows, resolve, reject });
      size += rows.length;
      if (waiting.length === 1) setImmediate(flush);
    });
  };
}
