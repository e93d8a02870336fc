import { PassThrough } from 'node:stream';
import test from 'ava';
import { progressLine } from '../../../jobs/cli/progress-line.ts';

function aStream(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  return { stream, text: () => String(stream.read() ?? '') };
}

test('without a terminal, a plain line is written at most every 2 seconds', (t) => {
  const { stream, text } = aStream(false);
  let now = 0;
  const line = progressLine('extract a.csv', stream, () => now);
  for (const [at, done] of [
    [0, 1],
    [1_999, 2],
    [2_000, 3],
    [4_000, 3],
  ] as const) {
    now = at;
    line.show({ done, total: 4, what: '2018-01' });
  }
  t.is(text(), 'extract a.csv: 1 of 4, 2018-01\nextract a.csv: 3 of 4, 2018-01\n');
});

test('on a terminal, a bar is shown and removed at the end', (t) => {
  const { stream, text } = aStream(true);
  Object.assign(stream, { cursorTo: () => true, clearLine: () => true, moveCursor: () => true });
  const line = progressLine('extract a.csv', stream);
  line.show({ done: 1, total: 4, what: '2018-01' });
  line.end();
  t.regex(text(), /extract a\.csv .* 25%  2018-01/);
});
